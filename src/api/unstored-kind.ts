import type { Kind } from './kind.ts'

/** What kinds that are only sent have in common: reviews, and options of a request. */
export const unstoredKind = {
  flavor: 'builtin',
  nameRule: 'path-segment',
  hasStatus: false,
  hasGeneration: false,
  allowsUnconditionalUpdate: false,
  allowsCreateOnUpdate: false,
  deleteAnswer: 'status',
  strategy: {},
} satisfies Partial<Kind>
