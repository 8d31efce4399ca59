/** The table through which one of the loops goes. */
export const NOTES_TABLE = 'headrace-loops-notes';
