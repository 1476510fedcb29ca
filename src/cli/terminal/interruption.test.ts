import { expect, it, onTestFinished, vi } from 'vitest'
import { interruptible } from './interruption.ts'

it('many may wait for an interruption at once, without a warning on the terminal', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const terminal = {} as Parameters<typeof interruptible>[0]
  await interruptible(terminal, async (signal) => {
    for (let count = 0; count < 50; count += 1) signal.addEventListener('abort', () => {})
  })
  expect(warn).not.toHaveBeenCalled()
})
