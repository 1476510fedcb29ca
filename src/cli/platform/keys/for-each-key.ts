import { ApiError, isRefusal } from '../../../api/error.ts'
import { withoutKeys } from '../../../auth/keys/redact.ts'
import { errorText } from '../../../base/error-text.ts'
import { say } from '../../output/messages.ts'
import { ReportedFailure } from '../../reported-failure.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { unknownText } from '../failure-text.ts'

/** A refusal of one key does not stop the rest: after a mistyped name, the others must still be disabled or deleted. */
export async function forEachKey(
  names: readonly string[],
  terminal: Terminal,
  act: (name: string) => Promise<void>,
): Promise<void> {
  const [only, ...others] = names
  if (only !== undefined && others.length === 0) return act(only)
  const refused: string[] = []
  for (const name of names) {
    try {
      await act(name)
    } catch (error) {
      if (!isRefusal(error, 403, 404, 409, 422)) throw error
      say(terminal, `error: ${withoutKeys(refusalText(error))}`)
      refused.push(name)
    }
  }
  if (refused.length > 0) throw new ReportedFailure('some keys were refused')
}

function refusalText(error: unknown): string {
  const unknown = error instanceof ApiError && error.code === 404 ? unknownText(error.status.details) : undefined
  return unknown ?? errorText(error)
}
