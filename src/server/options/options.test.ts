import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/error.ts'
import { goBoolean, goInteger } from '../request/go-values.ts'
import { parseQuery } from '../request/query.ts'
import { readRequestInfo } from '../request/request-info.ts'
import { deleteOptions } from './delete-options.ts'
import { listOptions, watchRequest } from './list-options.ts'
import { createOptions, managerFromUserAgent, patchOptions, updateOptions } from './write-options.ts'

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`
    throw error
  }
  return 'taken'
}

function infoOf(query: string) {
  const info = readRequestInfo('GET', `/api/v1/configmaps?${query}`)
  if (info.form !== 'resource') throw new Error('a collection is a resource')
  return info
}

describe('values in the query', () => {
  it.each([
    [undefined, false],
    ['', true],
    ['true', true],
    ['1', true],
    ['False', false],
    ['0', false],
    ['anything', true],
  ])('boolean %j is %s', (text, expected) => {
    expect(goBoolean(text)).toBe(expected)
  })

  it.each([
    ['5', 5],
    ['-5', -5],
    ['+5', 5],
    ['9223372036854775807', Number.MAX_SAFE_INTEGER],
  ])('integer %s is %d', (text, expected) => {
    expect(goInteger(text)).toBe(expected)
  })

  it.each([
    ['abc', '400 strconv.ParseInt: parsing "abc": invalid syntax'],
    ['', '400 strconv.ParseInt: parsing "": invalid syntax'],
    ['1.5', '400 strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['9223372036854775808', '400 strconv.ParseInt: parsing "9223372036854775808": value out of range'],
  ])('integer %j is refused: %s', (text, expected) => {
    expect(refusal(() => goInteger(text))).toBe(expected)
  })
})

describe('options of writes', () => {
  it('are lenient by default', () => {
    expect(createOptions(parseQuery(''))).toEqual({ fieldManager: '', fieldValidation: 'Warn', dryRun: false })
    expect(updateOptions(parseQuery('dryRun=All&fieldValidation=Strict&fieldManager=m'))).toEqual({
      fieldManager: 'm',
      fieldValidation: 'Strict',
      dryRun: true,
    })
  })

  it.each([
    ['dryRun=Foo', 'dryRun: Unsupported value: []string{"Foo"}: supported values: "All"'],
    ['fieldValidation=x', 'fieldValidation: Unsupported value: "x": supported values: "", "Ignore", "Strict", "Warn"'],
    ['fieldManager=a%0Ab', 'fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)'],
    [`fieldManager=${'x'.repeat(129)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
  ])('%s is refused', (query, problem) => {
    expect(refusal(() => createOptions(parseQuery(query)))).toBe(
      `422 CreateOptions.meta.k8s.io "" is invalid: ${problem}`,
    )
  })

  it.each([
    ['', true, '422 PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'],
    [
      'force=false',
      false,
      '422 PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ],
    ['fieldManager=m&force=1', true, 'taken'],
  ])('patch with %j, apply %s: %s', (query, isApply, expected) => {
    expect(refusal(() => patchOptions(parseQuery(query), isApply))).toBe(expected)
  })

  it.each([
    ['kubectl/v1.32 (linux)', 'kubectl'],
    ['node-fetch', 'node-fetch'],
    ['OpenAPI-Generator/22.6.0/python', 'OpenAPI-Generator'],
    ['a\u0007b/1', 'ab'],
    ['/x', 'unknown'],
    [undefined, 'unknown'],
    ['é'.repeat(100), 'é'.repeat(64)],
  ])('user agent %j writes as %s', (agent, manager) => {
    expect(managerFromUserAgent(agent)).toBe(manager)
  })
})

describe('options of reads', () => {
  it('are passed on as requested', () => {
    expect(listOptions(infoOf('limit=5&continue=c&resourceVersion=7&labelSelector=a%3Db'))).toEqual({
      labelSelector: 'a=b',
      fieldSelector: '',
      limit: 5,
      continue: 'c',
      resourceVersion: '7',
      resourceVersionMatch: '',
      sendInitialEvents: undefined,
    })
    expect(listOptions(infoOf('limit=-1')).limit).toBe(0)
    expect(refusal(() => listOptions(infoOf('timeoutSeconds=soon')))).toMatch(/^400 strconv.ParseInt/)
  })

  it.each([
    ['timeoutSeconds=5', 5],
    ['timeoutSeconds=0', undefined],
    ['', undefined],
  ])('watch with %j lasts %s seconds', (query, expected) => {
    expect(watchRequest(infoOf(query)).timeoutSeconds).toBe(expected)
  })
})

describe('a watch with a continue token', () => {
  it.each(['continue=abc', 'continue=abc&resourceVersion=0'])('is refused: %s', (query) => {
    expect(refusal(() => watchRequest(infoOf(query)))).toBe(
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    )
  })

  it('from a version is accepted', () => {
    expect(watchRequest(infoOf('continue=abc&resourceVersion=5')).options.resourceVersion).toBe('5')
  })
})

describe('options of deletes', () => {
  const body = (value: unknown) => ({ value, duplicateFields: [], text: '' })

  it('come from the query when there is no body', () => {
    expect(deleteOptions(parseQuery('gracePeriodSeconds=3&propagationPolicy=Orphan&dryRun=All'), undefined)).toEqual({
      gracePeriodSeconds: 3,
      propagationPolicy: 'Orphan',
      dryRun: true,
    })
  })

  it('come from the body when there is one', () => {
    const sent = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid: 'u' } }
    expect(deleteOptions(parseQuery('propagationPolicy=Foo'), body(sent))).toEqual({
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u' },
      dryRun: false,
    })
  })

  it('name preconditions in the query too', () => {
    const preconditions = { uid: 'u', resourceVersion: '7' }
    expect(deleteOptions(parseQuery('uid=u&resourceVersion=7'), undefined)).toEqual({ preconditions, dryRun: false })
    expect(deleteOptions(parseQuery('uid=&resourceVersion='), undefined)).toEqual({ dryRun: false })
    expect(deleteOptions(parseQuery('uid=u'), body({}))).toEqual({ dryRun: false })
  })

  it('are a dry run when the body says so, and when the query does without a body', () => {
    expect(deleteOptions(parseQuery('dryRun=All'), undefined).dryRun).toBe(true)
    expect(deleteOptions(parseQuery('dryRun=All'), body({})).dryRun).toBe(false)
    expect(deleteOptions(parseQuery('dryRun=bad'), body({ propagationPolicy: 'Orphan' })).dryRun).toBe(false)
    expect(deleteOptions(parseQuery(''), body({ dryRun: ['All'] })).dryRun).toBe(true)
  })

  it.each([
    [
      'propagationPolicy=Foo',
      undefined,
      '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      'propagationPolicy=Background&orphanDependents=true',
      undefined,
      '422 DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Background": orphanDependents and deletionPropagation cannot be both set',
    ],
    ['gracePeriodSeconds=x', undefined, '400 strconv.ParseInt: parsing "x": invalid syntax'],
    ['', { kind: 'ConfigMap' }, '400 decoded object cannot be converted to DeleteOptions'],
    [
      '',
      { gracePeriodSeconds: 'x' },
      '400 DeleteOptions in version "v1" cannot be handled as a DeleteOptions: json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [
      '',
      [],
      '400 DeleteOptions in version "v1" cannot be handled as a DeleteOptions: json: cannot unmarshal array into Go value of type v1.DeleteOptions',
    ],
    [
      '',
      { propagationPolicy: 1 },
      '400 DeleteOptions in version "v1" cannot be handled as a DeleteOptions: json: cannot unmarshal number into Go struct field DeleteOptions.propagationPolicy of type string',
    ],
    [
      '',
      { dryRun: ['None'] },
      '422 DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: []string{"None"}: supported values: "All"',
    ],
  ])('%s with body %j is refused', (query, sent, expected) => {
    expect(refusal(() => deleteOptions(parseQuery(query), sent === undefined ? undefined : body(sent)))).toBe(expected)
  })
})
