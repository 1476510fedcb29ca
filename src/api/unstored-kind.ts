import type { Kind } from './kind.ts'

/** What kinds have in common that are only sent: reviews, and options of a request. */
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
