import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { embeddedHostId, requireSameHost } from './host-mark.ts'

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-mark-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

it('a data directory belongs to the host that it was created with', () => {
  const directory = makeDirectory()
  requireSameHost(directory, 'cluster 1')
  requireSameHost(directory, 'cluster 1')
  expect(() => requireSameHost(directory, 'cluster 2')).toThrow('holds virtual clusters of the cluster 1')
  expect(() => requireSameHost(directory, embeddedHostId)).toThrow('and not of the embedded host')
})

it('one of an earlier version belongs to the embedded host', () => {
  const directory = makeDirectory()
  mkdirSync(join(directory, 'host'))
  expect(() => requireSameHost(directory, 'cluster 1')).toThrow('holds virtual clusters of the embedded host')
  requireSameHost(directory, embeddedHostId)
})
