import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leaveLastWords } from './termination-log.ts'

describe('last words of a container', () => {
  let directory: string
  let file: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tenant-last-words-'))
    file = join(directory, 'log')
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('are where Kubernetes looks for them, in the length that it takes', () => {
    writeFileSync(file, '')
    leaveLastWords('x'.repeat(5000), { pid: 1 }, file)
    expect(readFileSync(file, 'utf8')).toBe('x'.repeat(4096))
  })

  it('end with a whole character', () => {
    writeFileSync(file, '')
    leaveLastWords(`x${'ä'.repeat(3000)}`, { pid: 1 }, file)
    expect(readFileSync(file, 'utf8')).toBe(`x${'ä'.repeat(2047)}`)
  })

  it('are not left by a command that is run in it', () => {
    writeFileSync(file, '')
    leaveLastWords('no such key', { pid: 70 }, file)
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  it('make no file where there is none', () => {
    leaveLastWords('full', { pid: 1 }, file)
    expect(existsSync(file)).toBe(false)
  })
})
