import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeTerminationMessage } from './termination-log.ts'

describe('the termination message of a container', () => {
  let directory: string
  let file: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tenant-last-words-'))
    file = join(directory, 'log')
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('is in the file that Kubernetes reads, within its size limit', () => {
    writeFileSync(file, '')
    writeTerminationMessage('x'.repeat(5000), { pid: 1 }, file)
    expect(readFileSync(file, 'utf8')).toBe('x'.repeat(4096))
  })

  it('ends with a complete character', () => {
    writeFileSync(file, '')
    writeTerminationMessage(`x${'ä'.repeat(3000)}`, { pid: 1 }, file)
    expect(readFileSync(file, 'utf8')).toBe(`x${'ä'.repeat(2047)}`)
  })

  it('is not written by a command that runs in the container', () => {
    writeFileSync(file, '')
    writeTerminationMessage('no such key', { pid: 70 }, file)
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  it('creates no file', () => {
    writeTerminationMessage('full', { pid: 1 }, file)
    expect(existsSync(file)).toBe(false)
  })
})
