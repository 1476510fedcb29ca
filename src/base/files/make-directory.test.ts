import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDirectory } from './make-directory.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenant-make-directory-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

describe('a required directory', () => {
  it('is created with its parents once, accessible to this user only', () => {
    const wanted = join(directory, 'a', 'b', 'c')
    makeDirectory(wanted)
    makeDirectory(wanted)
    for (const each of [wanted, join(directory, 'a')]) expect(statSync(each).mode & 0o777).toBe(0o700)
  })

  it('may be a link to one, or the root', () => {
    symlinkSync(directory, join(directory, 'link'))
    makeDirectory(join(directory, 'link'))
    makeDirectory('/')
  })

  it('is refused if the path is a file or a broken link', () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    expect(() => makeDirectory(file)).toThrow('EEXIST')
    expect(() => makeDirectory(join(file, 'below', 'it'))).toThrow('ENOTDIR')
    symlinkSync(join(directory, 'absent'), join(directory, 'link'))
    expect(() => makeDirectory(join(directory, 'link'))).toThrow('EEXIST')
  })

  it.runIf(process.platform === 'linux')('is refused on a file system without directories', () => {
    expect(() => makeDirectory('/proc/tenant/data')).toThrow('ENOENT')
  })
})
