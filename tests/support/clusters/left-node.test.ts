import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderOfNode, isNodeAlive } from './left-node.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'left-node-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a machine without a note has no node', () => {
  expect(folderOfNode(join(folder, 'owner'))).toBeUndefined()
})

test('a note names the folder of the node', () => {
  writeFileSync(join(folder, 'owner'), '/tmp/some/run/host\n')
  expect(folderOfNode(join(folder, 'owner'))).toBe('/tmp/some/run/host')
})

test('a node lives as long as one of its processes does', async () => {
  const ofNode = spawn('sh', ['-c', 'read line', join(folder, 'etcd')], { stdio: ['pipe', 'ignore', 'ignore'] })
  await once(ofNode, 'spawn')
  expect(isNodeAlive(folder, join(folder, 'none.toml'))).toBe(true)
  ofNode.stdin.end()
  await once(ofNode, 'exit')
  expect(isNodeAlive(folder, join(folder, 'none.toml'))).toBe(false)
})
