import { expect, it } from 'vitest'
import { shellPath, shellQuoted } from './shell-word.ts'

it.each([
  ['/a/b-c_d.e', '/a/b-c_d.e'],
  ['/a b', "'/a b'"],
  ["/it's", "'/it'\\''s'"],
  ['/$HOME', "'/$HOME'"],
])('%s is %s for a shell', (word, expected) => {
  expect(shellQuoted(word)).toBe(expected)
})

it('without a home directory a path is printed in full', () => {
  expect(shellPath('/srv/data', '')).toBe('/srv/data')
})

it.each([
  ['/home/me/.tenant/data', '~/.tenant/data'],
  ['/home/me/my data', "~/'my data'"],
  ['/home/mean', '/home/mean'],
  ['/srv/my data', "'/srv/my data'"],
])('the path %s is %s for a shell', (path, expected) => {
  expect(shellPath(path, '/home/me')).toBe(expected)
})
