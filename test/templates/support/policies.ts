import type { Synthesized } from './synthesize';

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly Principal?: { readonly Service?: string | readonly string[]; readonly AWS?: string };
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Sid?: string;
}

export interface Placed {
  /** Logical id of the resource the statement stands in. */
  readonly of: string;
  readonly statement: Statement;
}

const statementsOf = (document: { readonly Statement: readonly Statement[] } | undefined) => document?.Statement ?? [];

/** Every statement that gives a role rights. */
export function rights(synthesized: Synthesized): readonly Placed[] {
  const inRoles = Object.entries(synthesized.all('AWS::IAM::Role')).flatMap(([of, { Properties }]) =>
    ((Properties.Policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[]).flatMap(({ PolicyDocument }) =>
      statementsOf(PolicyDocument).map((statement) => ({ of, statement })),
    ),
  );
  const beside = Object.entries(synthesized.all('AWS::IAM::Policy')).flatMap(([of, { Properties }]) =>
    statementsOf(Properties.PolicyDocument).map((statement) => ({ of, statement })),
  );
  return [...inRoles, ...beside];
}

/** Every statement that lets somebody in: trust of roles, policies of queues and buckets. */
export function entries(synthesized: Synthesized): readonly Placed[] {
  const trust = Object.entries(synthesized.all('AWS::IAM::Role')).flatMap(([of, { Properties }]) =>
    statementsOf(Properties.AssumeRolePolicyDocument).map((statement) => ({ of, statement })),
  );
  const doors = ['AWS::SQS::QueuePolicy', 'AWS::S3::BucketPolicy'].flatMap((type) =>
    Object.entries(synthesized.all(type)).flatMap(([of, { Properties }]) =>
      statementsOf(Properties.PolicyDocument).map((statement) => ({ of, statement })),
    ),
  );
  return [...trust, ...doors];
}

export const actionsOf = ({ Action }: Statement): readonly string[] => (typeof Action === 'string' ? [Action] : Action);
