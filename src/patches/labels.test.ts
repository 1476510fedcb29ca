import { describe, expect, it } from 'vitest'
import type { LabelTranslator } from './contract.ts'
import { translateLabels } from './labels.ts'

/** Only `release` has another key on the host, and `host-only` is not known to the tenant. */
const labels: LabelTranslator = {
  narrowing: {},
  toHost: (key) => (key === 'release' ? 'tenant.example/release' : key),
  toVirtual: (key) => (key === 'host-only' ? undefined : key === 'tenant.example/release' ? 'release' : key),
}

const translations: readonly (readonly [string, unknown, unknown])[] = [
  ['a plain map', { release: 'a', app: 'web' }, { 'tenant.example/release': 'a', app: 'web' }],
  ['matchLabels', { matchLabels: { release: 'a' } }, { matchLabels: { 'tenant.example/release': 'a' } }],
  [
    'matchExpressions',
    {
      matchExpressions: [
        { key: 'release', operator: 'In', values: ['a'] },
        { key: 'app', operator: 'Exists' },
      ],
    },
    {
      matchExpressions: [
        { key: 'tenant.example/release', operator: 'In', values: ['a'] },
        { key: 'app', operator: 'Exists' },
      ],
    },
  ],
  [
    'both',
    { matchLabels: { release: 'a' }, matchExpressions: [{ key: 'release', operator: 'Exists' }] },
    {
      matchLabels: { 'tenant.example/release': 'a' },
      matchExpressions: [{ key: 'tenant.example/release', operator: 'Exists' }],
    },
  ],
  [
    'a map with a label called matchLabels',
    { matchLabels: 'x', release: 'a' },
    { matchLabels: 'x', 'tenant.example/release': 'a' },
  ],
]

describe('labels', () => {
  it.each(translations)('%s is translated to the host and back', (_what, virtual, host) => {
    expect(translateLabels(virtual, labels, 'toHost')).toEqual({ ok: true, value: host })
    expect(translateLabels(host, labels, 'toVirtual')).toEqual({ ok: true, value: virtual })
  })

  it.each([
    [{}],
    [{ app: 'web' }],
    [{ matchLabels: { app: 'web' }, matchExpressions: [{ key: 'app', operator: 'Exists' }] }],
  ])('%j stays the same value object', (value) => {
    const translated = translateLabels(value, labels, 'toHost')
    expect(translated.ok && translated.value === value).toBe(true)
  })

  it('drops labels on the way back that exist only on the host', () => {
    expect(translateLabels({ 'host-only': '1', app: 'web' }, labels, 'toVirtual')).toEqual({
      ok: true,
      value: { app: 'web' },
    })
    const selector = { matchExpressions: [{ key: 'host-only', operator: 'Exists' }] }
    expect(translateLabels(selector, labels, 'toVirtual')).toEqual({ ok: true, value: { matchExpressions: [] } })
  })

  it.each<readonly [unknown, string]>([
    ['app=web', 'a string'],
    [null, 'nothing'],
    [['app'], 'an array'],
    [{ app: 1 }, 'a number'],
    [{ matchLabels: { app: { x: 1 } } }, 'an object'],
    [{ matchExpressions: ['app'] }, 'a string'],
    [{ matchExpressions: [{ operator: 'Exists' }] }, 'an object'],
  ])('refuses %j with what it found', (value, found) => {
    const message = `expected a label selector or a map of labels to text, found ${found}`
    expect(translateLabels(value, labels, 'toHost')).toEqual({ ok: false, message })
  })

  it('treats __proto__ as a key like any other', () => {
    const translated = translateLabels(JSON.parse('{"__proto__":"x","release":"a"}'), labels, 'toHost')
    expect(JSON.stringify(translated)).toBe('{"ok":true,"value":{"__proto__":"x","tenant.example/release":"a"}}')
  })

  describe('are narrowed to the tenant on the host', () => {
    const ours = { 'tenant.internal/managed-by': 'demo', 'tenant.internal/tenant-namespace': 'tenants' }
    const narrowing: LabelTranslator = { ...labels, narrowing: ours }

    it.each<readonly [string, object, object]>([
      ['a plain map', { app: 'web' }, { app: 'web', ...ours }],
      ['matchLabels', { matchLabels: { app: 'web' } }, { matchLabels: { app: 'web', ...ours } }],
      ['matchLabels that select everything', { matchLabels: {} }, { matchLabels: ours }],
      [
        'matchExpressions alone',
        { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
        { matchExpressions: [{ key: 'app', operator: 'Exists' }], matchLabels: ours },
      ],
      ['an empty selector', {}, { matchLabels: ours }],
      [
        'one that asks for another tenant',
        { matchLabels: { app: 'web', 'tenant.internal/managed-by': 'victim' } },
        { matchLabels: { app: 'web', ...ours } },
      ],
    ])('%s', (_what, virtual, host) => {
      expect(translateLabels(virtual, narrowing, 'toHost')).toEqual({ ok: true, value: host })
    })

    it.each<readonly [object, object]>([
      [{ app: 'web', ...ours }, { app: 'web' }],
      [{ matchLabels: { app: 'web', ...ours } }, { matchLabels: { app: 'web' } }],
    ])('and back %j is as the tenant wrote it', (host, virtual) => {
      expect(translateLabels(host, narrowing, 'toVirtual')).toEqual({ ok: true, value: virtual })
    })
  })
})
