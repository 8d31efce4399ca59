export { chooseMailboxes } from './choose';
export { type DeadLetter, groupLetters, type LetterGroup, readLetter } from './letter';
export { countLetters, type Mailbox, mailboxes, peek } from './mailbox';
export { isMeant, type PlannedMove, planMoves, refuseUnasked, refuseVague } from './plan';
export { type Redriven, redrive } from './redrive';
export { groupLines, letterLines } from './report';
