import { expect, it } from 'vitest'
import { parseGoUrl } from './go-url.ts'

it.each([
  ['x', { scheme: '', host: '', query: '', fragment: '' }],
  ['/abs', { scheme: '', host: '', query: '', fragment: '' }],
  ['HTTPS://e.com/a?b=c#d', { scheme: 'https', host: 'e.com', query: 'b=c', fragment: 'd' }],
  ['https://u:p@e.com:8443', { scheme: 'https', host: 'e.com:8443', user: 'u:p', query: '', fragment: '' }],
  ['mailto:x', { scheme: 'mailto', host: '', query: '', fragment: '' }],
  ['//e.com/', { scheme: '', host: 'e.com', query: '', fragment: '' }],
  ['100%', { problem: 'parse "100%": invalid URL escape "%"' }],
  ['https://e.com/%zz1', { problem: 'parse "https://e.com/%zz1": invalid URL escape "%zz"' }],
  ['https://e.com:x', { problem: 'parse "https://e.com:x": invalid port ":x" after host' }],
  ['https://e .com', { problem: 'parse "https://e .com": invalid character " " in host name' }],
  ['https://[::1', { problem: 'parse "https://[::1": missing \']\' in host' }],
  ['1a:b', { problem: 'parse "1a:b": first path segment in URL cannot contain colon' }],
  [':x', { problem: 'parse ":x": missing protocol scheme' }],
  ['a\nb', { problem: 'parse "a\\nb": net/url: invalid control character in URL' }],
])('%j is read as Go reads it', (text, expected) => {
  expect(parseGoUrl(text)).toEqual(expected)
})
