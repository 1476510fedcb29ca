import { byStory } from './describe.ts'

/** Evidence for requirements of several sections. */

export const byShared = byStory('tests/walkthrough/shared-key.test.ts', 'one key that two virtual clusters share')
export const failures = 'tests/link/failures.test.ts'
export const config = 'tests/tenant-config/agreement.test.ts'
export const onHost = 'tests/create/kubernetes.test.ts'
export const whileLoggedIn = 'tests/create/platform.test.ts'
export const writes = 'tests/registry/writes.test.ts'
