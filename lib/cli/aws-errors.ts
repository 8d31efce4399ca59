import { HeadraceError } from '../contract/errors';

interface AwsFailure {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly cause?: unknown;
}

interface Explanation {
  readonly fits: (failure: AwsFailure) => boolean;
  readonly explain: (failure: AwsFailure) => HeadraceError;
}

const CREDENTIALS = /CredentialsProviderError|NoCredentials|TokenProviderError/;
/** The SDK's words, then those of the CDK. */
const NO_CREDENTIALS =
  /could not load credentials|resolve credentials|no credentials have been configured|unable to resolve AWS account/i;
const REFUSED_KEYS =
  /^(ExpiredToken|ExpiredTokenException|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch)$/;
const DENIED = /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|AuthorizationError)$/;
const NETWORK = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/;

/** The AWS failures a user meets, first fit wins. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    fits: ({ name, message }) => CREDENTIALS.test(name) || NO_CREDENTIALS.test(message),
    explain: (cause) =>
      new HeadraceError('HR508', {
        what: `There are no AWS credentials to reach the pipeline with: ${firstLine(cause.message)}`,
        next: 'Sign in (aws sso login, or set AWS_PROFILE), or leave out --target aws to work on the local target.',
        cause,
      }),
  },
  {
    fits: ({ name }) => REFUSED_KEYS.test(name),
    explain: (cause) =>
      new HeadraceError('HR508', {
        what: `AWS does not accept the credentials (${cause.name}): ${firstLine(cause.message)}`,
        next: 'Sign in again (aws sso login), or choose another AWS_PROFILE.',
        cause,
      }),
  },
  {
    fits: ({ name }) => DENIED.test(name),
    explain: (cause) =>
      new HeadraceError('HR509', {
        what: `AWS denied the call: ${firstLine(cause.message)}`,
        next: 'Use a role that allows the action named above, or ask for it.',
        cause,
      }),
  },
  {
    fits: ({ message }) => /region is missing|could not load.*region/i.test(message),
    explain: (cause) =>
      new HeadraceError('HR508', {
        what: 'No AWS region is set.',
        next: 'Set AWS_REGION, or choose an AWS_PROFILE that has a region.',
        cause,
      }),
  },
  {
    fits: ({ name, message }) => name === 'ValidationError' && /does not exist/.test(message),
    explain: (cause) =>
      new HeadraceError('HR502', {
        what: 'The pipeline is not deployed on this target.',
        got: firstLine(cause.message),
        next: 'Deploy it with npx headrace deploy, or name the right --target and --stack.',
        cause,
      }),
  },
  {
    fits: ({ name, code }) => NETWORK.test(code ?? '') || NETWORK.test(name),
    explain: (cause) =>
      new HeadraceError('HR510', {
        what: `The target can't be reached (${cause.code ?? cause.name}).`,
        got: firstLine(cause.message) || undefined,
        next: 'npx headrace doctor shows what is running; npx headrace up starts the local target. For aws, check the network.',
        cause,
      }),
  },
];

/** The coded error a known AWS failure stands for; undefined for any other error. */
export function explainAwsError(error: unknown): HeadraceError | undefined {
  for (const failure of chain(error)) {
    if (failure instanceof HeadraceError) return failure;
    const found = EXPLANATIONS.find(({ fits }) => fits(failure));
    if (found) return found.explain(failure);
  }
  return undefined;
}

/** The error and its causes, outermost first. */
function chain(error: unknown): AwsFailure[] {
  const all: AwsFailure[] = [];
  for (let each = error; each instanceof Error && all.length < 5; each = each.cause) all.push(each as AwsFailure);
  return all;
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
