import type { Logic } from 'headrace/runtime';
import { evaluation } from '../../events/model/evaluation';
import { modelKey } from '../../events/model/run-model';
import { reportPublished } from '../../events/report/report-published.v1';
import type module from './module';

/** Writes the report beside the model it is about. */
export const publishReport: Logic<typeof module> = async ({ type, data }, { stores }) => {
  const { models } = stores;
  const measured = evaluation.parse(JSON.parse(Buffer.from(await models.open(data.evaluation)).toString('utf8')));
  const html = JSON.stringify(measured.test);
  const report = await models.put(modelKey(data.dataset, data.model_id, 'report.html'), html, {
    contentType: 'text/html; charset=utf-8',
  });
  const decision = type === 'model.deployed' ? 'deployed' : 'withheld';
  return [reportPublished.create({ model_id: data.model_id, decision, report })];
};
