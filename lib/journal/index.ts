export type { AwsNames, JournalEntry } from './entry';
export { Journal, type JournalFilter, type JournalOptions, type LastGood } from './journal';
export type { Window } from './window';
