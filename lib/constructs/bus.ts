import { EventBus } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';

/**
 * The project's own event bus: a pipeline neither hears the account's other traffic nor is heard by it.
 *
 * No dead letter queue of its own: EventBridge uses one only when it cannot decrypt events with a customer key.
 * What it cannot deliver goes to the dead letter queue of the subscription concerned.
 */
export class Bus extends Construct {
  public readonly bus: EventBus;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', { description: `Events of ${this.node.path}` });
  }
}
