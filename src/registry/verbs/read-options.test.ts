import { expect, it } from 'vitest'
import { configMap } from '../../api/core/config-map.ts'
import { checkListOptions, checkWatchOptions, parseResourceVersion } from './read-options.ts'

const user = { name: 'admin', groups: [] }
const asked = { user, labelSelector: '', fieldSelector: '', resourceVersion: '', signal: AbortSignal.timeout(60_000) }
const unsupported = 'resourceVersionMatch: Unsupported value: "Foo": supported values:'
const withoutVersion =
  'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided'
const withContinue = 'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided'
const needsNotOlder =
  'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'

it.each([
  ['Foo', '', `[${withoutVersion}, ${unsupported} "Exact", "NotOlderThan", ""]`],
  ['Exact', 'abc', `[${withoutVersion}, ${withContinue}]`],
  ['Exact', '', withoutVersion],
])('a list that matches versions by %s with the token "%s" gets all errors', (match, token, problem) => {
  const options = { ...asked, limit: 0, continue: token, resourceVersionMatch: match }
  expect(() => checkListOptions(configMap, options)).toThrow(`ListOptions.meta.k8s.io "" is invalid: ${problem}`)
})

it('selectors are parsed before other options are checked, and unknown fields are found after', () => {
  const options = { ...asked, limit: 0, continue: '', resourceVersionMatch: 'Exact' }
  const list = (selectors: Partial<typeof asked>) => () => checkListOptions(configMap, { ...options, ...selectors })
  expect(list({ labelSelector: '=', fieldSelector: 'x' })).toThrow("found '=', expected")
  expect(list({ fieldSelector: 'x' })).toThrow("can't understand 'x'")
  expect(list({ fieldSelector: 'x=y' })).toThrow(withoutVersion)
  expect(() => checkListOptions(configMap, { ...options, resourceVersionMatch: '', fieldSelector: 'x=y' })).toThrow(
    '"x" is not a known field selector',
  )
})

it.each([
  ['', needsNotOlder],
  ['Foo', `[${needsNotOlder}, ${unsupported} "NotOlderThan"]`],
])('a watch for initial events that matches versions by "%s" gets all errors', (match, problem) => {
  const options = { ...asked, allowWatchBookmarks: false, sendInitialEvents: true, resourceVersionMatch: match }
  expect(() => checkWatchOptions(options)).toThrow(`ListOptions.meta.k8s.io "" is invalid: ${problem}`)
})

it('a version may have leading zeros, and an invalid one is refused as in Kubernetes', () => {
  expect(parseResourceVersion('')).toBeUndefined()
  expect(parseResourceVersion('01')).toBe(1)
  const problem = 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax'
  expect(() => parseResourceVersion('abc')).toThrow(problem)
  expect(() => parseResourceVersion('-1')).toThrow('parsing "-1": invalid syntax')
  expect(() => parseResourceVersion('99999999999999999999')).toThrow('value out of range')
})
