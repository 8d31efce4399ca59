import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { synthesize, wholeProject } from './support/synthesize';

test.each([new AwsSolutionsChecks(), new ServerlessChecks()])('holds every rule of $name', (pack) => {
  const { stack } = synthesize(wholeProject());
  const { violations } = pack.validateScope(stack);
  const said = violations.map(
    ({ ruleName, description, violatingResources }) =>
      `${ruleName}: ${description} ${violatingResources.map(({ constructPath }) => constructPath).join(', ')}`,
  );
  expect(said).toEqual([]);
});
