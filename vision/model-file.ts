import type { Hyperparameters, Layer, Network } from './layers';
import { readTensors, type Tensor, TensorFileDefect, writeTensors } from './safetensors';
import type { TrainingState } from './training';

/** What is kept beside the weights: names, versions, scores, lineage. Text only, as safetensors has it. */
export type ModelMeta = Record<string, string>;

const RESERVED = 'headrace.';
const FORMAT = `${RESERVED}format`;
const STATE = `${RESERVED}state`;

/** Bytes from which `deserialize` restores the very same state. The same state always gives the same bytes. */
export function serialize(state: TrainingState): Uint8Array {
  const { hyperparameters, network, moments, epoch, history } = state;
  const { dims, hidden, classes } = network;
  const tensors = [
    ...toTensors('', network.layers),
    ...toTensors('mean.', moments.mean),
    ...toTensors('square.', moments.square),
  ];
  return writeTensors(tensors, {
    [FORMAT]: 'training-state.1',
    [STATE]: JSON.stringify({ hyperparameters: sorted(hyperparameters), dims, hidden, classes, epoch, history }),
  });
}

/** @throws TensorFileDefect for bytes that `serialize` did not write */
export function deserialize(bytes: Uint8Array): TrainingState {
  const { tensors, metadata } = readTensors(bytes);
  if (metadata[FORMAT] !== 'training-state.1') throw new TensorFileDefect('not a training state');
  const { hyperparameters, dims, hidden, classes, epoch, history } = JSON.parse(metadata[STATE] ?? '{}');
  return {
    hyperparameters,
    network: { dims, hidden, classes, layers: toLayers('', tensors) },
    moments: { mean: toLayers('mean.', tensors), square: toLayers('square.', tensors) },
    epoch,
    history,
  };
}

/**
 * A model as a safetensors file: tensors `hidden.weight`, `hidden.bias` (unless there is no hidden layer),
 * `output.weight`, `output.bias`, shaped as in PyTorch, and `meta` as metadata.
 * Same weights and meta give the same bytes, hence the same sha256.
 *
 * @throws RangeError when a key of `meta` begins with `headrace.`, which is ours
 */
export function serializeModel(network: Network, meta: ModelMeta = {}): Uint8Array {
  const taken = Object.keys(meta).find((key) => key.startsWith(RESERVED));
  if (taken) throw new RangeError(`metadata key ${taken} is reserved`);
  return writeTensors(toTensors('', network.layers), { ...meta, [FORMAT]: 'model.1' });
}

/** @throws TensorFileDefect for bytes that `serializeModel` did not write */
export function loadModel(bytes: Uint8Array): { network: Network; meta: ModelMeta } {
  const { tensors, metadata } = readTensors(bytes);
  const { [FORMAT]: format, ...meta } = metadata;
  if (format !== 'model.1') throw new TensorFileDefect('not a Headrace model');
  const layers = toLayers('', tensors);
  const first = layers[0]!;
  const last = layers.at(-1)!;
  const hidden = layers.length > 1 ? first.weight.rows : 0;
  return { network: { dims: first.weight.cols, hidden, classes: last.weight.rows, layers }, meta };
}

/** The output layer is the last one; a layer before it is the hidden one. */
function toTensors(prefix: string, layers: readonly Layer[]): Tensor[] {
  return layers.flatMap(({ weight, bias }, i) => {
    const name = prefix + (i === layers.length - 1 ? 'output' : 'hidden');
    return [
      { name: `${name}.weight`, shape: [weight.rows, weight.cols], values: weight.values },
      { name: `${name}.bias`, shape: [bias.length], values: bias },
    ];
  });
}

function toLayers(prefix: string, tensors: ReadonlyMap<string, Tensor>): Layer[] {
  const names = tensors.has(`${prefix}hidden.weight`) ? ['hidden', 'output'] : ['output'];
  const layers = names.map((name) => {
    const weight = tensors.get(`${prefix}${name}.weight`);
    const bias = tensors.get(`${prefix}${name}.bias`);
    if (!weight || !bias) throw new TensorFileDefect(`layer ${prefix}${name} is missing`);
    const [rows = 0, cols = 0] = weight.shape;
    if (bias.values.length !== rows) throw new TensorFileDefect(`layer ${prefix}${name}: weight and bias do not fit`);
    return { weight: { rows, cols, values: weight.values }, bias: bias.values };
  });
  if (layers.length > 1 && layers[1]!.weight.cols !== layers[0]!.weight.rows) {
    throw new TensorFileDefect('hidden and output layer do not fit');
  }
  return layers;
}

function sorted(hyperparameters: Hyperparameters): object {
  return Object.fromEntries(Object.entries(hyperparameters).sort(([a], [b]) => (a < b ? -1 : 1)));
}
