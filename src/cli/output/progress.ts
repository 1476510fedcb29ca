import { visible } from '../../base/unseen.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from './messages.ts'

/** Shows what a long command is doing. */
export interface Progress {
  /** A new step begins; the previous one has succeeded. */
  step(text: string): void
  /** Rewords the current step: why it takes so long. */
  detail(text: string): void
  succeed(text: string): void
  /** Shows nothing more; the error is reported elsewhere. */
  stop(): void
}

/** Shows nothing. */
export const quietProgress: Progress = { step: () => {}, detail: () => {}, succeed: () => {}, stop: () => {} }

/** A spinner for people; one line per step in a log. After an interruption by `signal`, one line per step as well. */
export async function createProgress(terminal: Terminal, signal?: AbortSignal): Promise<Progress> {
  const { stderr, env } = terminal
  return stderr === process.stderr && stderr.isTTY === true && !env.CI
    ? spinning(plain(terminal), signal)
    : plain(terminal)
}

function plain(terminal: Terminal): Progress {
  let last = ''
  const tell = (text: string) => {
    if (text !== last) say(terminal, visible(text))
    last = text
  }
  return { step: tell, detail: tell, succeed: tell, stop: () => {} }
}

async function spinning(inLines: Progress, signal?: AbortSignal): Promise<Progress> {
  const { default: createSpinner } = await import('yocto-spinner')
  const spinner = createSpinner({ stream: process.stderr, handleSignals: signal === undefined })
  signal?.addEventListener('abort', () => spinner.stop(), { once: true })
  let current = ''
  return {
    step: (text) => {
      if (signal?.aborted) return inLines.step(text)
      if (current !== '') spinner.success(current)
      current = visible(text)
      spinner.start(current)
    },
    detail: (text) => {
      if (signal?.aborted) return inLines.detail(text)
      spinner.text = `${current}: ${visible(text)}`
    },
    succeed: (text) => {
      spinner.success(visible(text))
      current = ''
    },
    stop: () => spinner.stop(),
  }
}
