import type { EventFor } from 'headrace/module';
import type { Logic } from 'headrace/runtime';
import { type Evaluation, evaluation } from '../../events/model/evaluation';
import { modelKey } from '../../events/model/run-model';
import { reportPublished } from '../../events/report/report-published.v1';
import { type ReportInput, renderReport } from '../../vision/report';
import type module from './module';

/** Writes the report beside the model it is about: one for each run that came to this model. */
export const publishReport: Logic<typeof module> = async (event, { stores }) => {
  const { data } = event;
  const { models } = stores;
  const measured = await models.openJson(data.evaluation, evaluation);
  const html = renderReport(contentOf(event, measured));
  const report = await models.put(modelKey(data.dataset, data.model_id, `report-${measured.run}.html`), html, {
    contentType: 'text/html; charset=utf-8',
  });
  return [reportPublished.create({ model_id: data.model_id, decision: outcomeOf(event), report })];
};

type Decided = EventFor<typeof module>;

const outcomeOf = ({ type }: Decided) => (type === 'model.deployed' ? 'deployed' : 'withheld');

/** What the page shows: the recorded measurements, and the decision with its reason. */
export function contentOf(event: Decided, measured: Evaluation): ReportInput {
  const { test, worst, search } = measured;
  return {
    model: {
      id: measured.model_id,
      hyperparameters: measured.hyperparameters,
      trainImages: measured.train_images,
      sha256: measured.artifact.sha256,
      bytes: measured.artifact.bytes,
    },
    evaluation: test,
    decision: { outcome: outcomeOf(event), reason: event.data.reason },
    learningCurve: measured.learning_curve,
    worstMistakes: worst.map(({ png, label, predicted, confidence }) => ({
      png: Buffer.from(png, 'base64'),
      label,
      predicted,
      confidence,
    })),
    search: search.map(({ hyperparameters, validation_accuracy: accuracy }) => ({ hyperparameters, accuracy })),
    lineage: [
      { what: 'First event of the chain', id: event.correlationId },
      { what: 'Run', id: measured.run },
      { what: 'Dataset version', id: measured.dataset_version, detail: `${measured.train_images} images trained on` },
      { what: 'Model', id: measured.model_id },
    ],
  };
}
