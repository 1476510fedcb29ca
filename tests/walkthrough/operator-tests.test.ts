import { it, onTestFinished } from 'vitest'
import { welcomeReader } from './support/reader.ts'
import { runGuide } from './support/run-guide.ts'

it('docs/guides/operator-tests.md works as described', async () => {
  const reader = welcomeReader()
  onTestFinished(() => reader.leave())
  await runGuide('docs/guides/operator-tests.md', reader.shell, {})
}, 240_000)
