import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { type Draft, type Envelope, toEnvelope } from '../contract';
import { putEvents, runOn } from '../runtime';
import { Caller } from './caller';
import type { Call } from './calls';
import type { CallFault } from './faults';
import { labelOf } from './record';
import type { World } from './world';

/** Somebody outside who publishes, and tries until the bus has everything. */
export class Publisher extends Caller {
  protected readonly name = 'publisher';

  constructor(world: World) {
    super(world, 'publisher');
  }

  /** @returns the ids */
  publish(drafts: readonly Draft[]): string[] {
    const { schedule, dice, faults, monitor, contracts } = this.world;
    const time = new Date(schedule.now);
    const envelopes = drafts.map((draft) => {
      contracts.add(draft.contract);
      const id = dice.id(faults.occasion(`published|${draft.type}|${JSON.stringify(draft.data)}`));
      return toEnvelope(draft, { id, time });
    });
    for (const { id } of envelopes) monitor.published.add(id);
    schedule.in(0, () => {
      this.world.tell(this.who, `publishes ${envelopes.map(({ type, id }) => labelOf(type, id)).join(', ')}`);
      void runOn(this.surroundings(), () => this.#untilAccepted(envelopes));
      this.world.woke = true;
    });
    return envelopes.map(({ id }) => id);
  }

  /** With the same ids each time, as anybody should. */
  async #untilAccepted(envelopes: readonly Envelope[]): Promise<void> {
    const client = { send: (command: { readonly input: object }) => this.send(command) };
    for (;;) {
      try {
        await putEvents(envelopes, { client: client as unknown as EventBridgeClient, bus: 'bus' });
        return;
      } catch (error) {
        this.world.tell(this.who, `begins again: ${(error as Error).message}`);
      }
    }
  }

  protected env(): undefined {
    return undefined;
  }

  protected effect(): Promise<never> {
    throw new Error('a publisher has no effects');
  }

  protected mayMeet(fault: CallFault, call: Pick<Call, 'name'>): boolean {
    if (fault === 'refuse') return call.name === 'EventBridge PutEvents';
    return fault !== 'crash' && fault !== 'delay';
  }

  protected lateness(): number {
    return 0;
  }

  protected die(): void {
    throw new Error('a publisher does not die');
  }

  protected stall(): void {
    throw new Error('a publisher does not stall');
  }
}
