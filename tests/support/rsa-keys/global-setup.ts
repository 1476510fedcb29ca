import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { settingsIn } from '../canary/start-watching.ts'
import { copyKeys } from './kept-keys.ts'

/** For tests only, and created on this machine: finding their primes takes as long as the rest of a small suite. */
const kept = join(import.meta.dirname, '../../../node_modules/.cache/rsa-keys-of-tests')

export default function prepareRsaKeys(project: TestProject): () => void {
  const settings = settingsIn(project.config.env)
  if (settings === undefined) throw new Error('the configuration of the tests does not say where a run keeps its files')
  const ofRun = join(dirname(settings.TENANT_CANARY_FOLDER), 'rsa-keys')
  copyKeys(kept, ofRun)
  return () => copyKeys(ofRun, kept)
}
