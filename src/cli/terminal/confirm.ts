import { UsageError } from '../../base/usage-error.ts'
import { confirmed, createPrompt } from './prompt.ts'
import type { Terminal } from './terminal.ts'

interface YesOrNo {
  readonly question: string
  /** What `--yes` does, for scripts: `delete it`. */
  readonly purpose: string
  /** The message when the user says no. */
  readonly refusal: string
}

/** Throws unless the user says yes. */
export async function confirmOrStop(terminal: Terminal, { question, purpose, refusal }: YesOrNo): Promise<void> {
  const prompt = createPrompt(terminal)
  if (prompt === undefined)
    throw new UsageError(`there is no terminal to ask for confirmation; pass --yes to ${purpose}`)
  try {
    if (!(await confirmed(prompt, question))) throw new Error(refusal)
  } finally {
    await prompt.close()
  }
}
