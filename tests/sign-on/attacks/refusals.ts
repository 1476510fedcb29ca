import { expect } from 'vitest'

/** Pages of refusals. */
export const untrusted = { status: 400, text: expect.stringContaining('cannot be trusted') }
export const over = { status: 400, text: expect.stringContaining('This sign-in is over') }
export const refused = { status: 403, text: expect.stringContaining('refused the sign-in') }
