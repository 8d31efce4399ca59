import { consume } from 'headrace/runtime';
import module from './module';
import { predictByUrl, predictDigit } from './predict-digit';

export const handler = consume(module, predictDigit, predictByUrl);
