import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { generateSigningKeyPem } from '../../../src/base/keys/keypair.ts'
import { keyPool, poolSize } from './key-pool.ts'

const directory = mkdtempSync(join(tmpdir(), 'tenant-key-pool-'))
afterAll(() => rmSync(directory, { recursive: true }))

describe('the RSA keys of a run', () => {
  it('are each generated once, and handed out in turn to any process', async () => {
    const pools = [keyPool(directory), keyPool(directory)]
    let made = 0
    const make = async () => `key ${made++}`
    const taken: string[] = []
    for (let turn = 0; turn < 2 * poolSize; turn++) taken.push((await pools[turn % 2]?.next(make)) ?? '')
    expect(made).toBe(poolSize)
    expect(new Set(taken.slice(0, poolSize)).size).toBe(poolSize)
    expect(taken.slice(poolSize)).toEqual(taken.slice(0, poolSize))
  })

  it('are used by servers in this process', async () => {
    const pems = await Promise.all(Array.from({ length: poolSize + 1 }, () => generateSigningKeyPem()))
    expect(new Set(pems).size).toBeLessThanOrEqual(poolSize)
  })
})
