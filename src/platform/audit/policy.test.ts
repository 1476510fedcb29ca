import { describe, expect, it } from 'vitest'
import type { AuditRecord } from '../../server/contract.ts'
import { auditLine } from './audit-line.ts'
import { type AuditRule, auditLevel, defaultAuditPolicy } from './policy.ts'

const record: AuditRecord = {
  auditId: 'a',
  verb: 'get',
  requestUri: '/api/v1/namespaces/web/pods/p/log?follow=1',
  user: { name: 'ann', groups: ['dev', 'system:authenticated'] },
  sourceAddress: '192.0.2.1',
  userAgent: 'kubectl',
  objectRef: { group: '', version: 'v1', resource: 'pods', subresource: 'log', namespace: 'web', name: 'p' },
  code: 200,
  receivedAtMs: 0,
  finishedAtMs: 5,
  decision: '',
  isAuthorized: true,
}
const { objectRef: _, ...path } = record
const of = (requestUri: string): AuditRecord => ({ ...path, requestUri })

describe('an audit rule', () => {
  it.each<readonly [AuditRule, AuditRecord, boolean]>([
    [{ level: 'none' }, record, true],
    [{ level: 'none', users: ['ann'] }, record, true],
    [{ level: 'none', users: ['bob'] }, record, false],
    [{ level: 'none', groups: ['dev'] }, record, true],
    [{ level: 'none', groups: ['ops'] }, record, false],
    [{ level: 'none', verbs: ['get', 'list'] }, record, true],
    [{ level: 'none', verbs: ['create'] }, record, false],
    [{ level: 'none', resources: ['pods/log'] }, record, true],
    [{ level: 'none', resources: ['pods'] }, record, false],
    [{ level: 'none', resources: ['pods/log'] }, of('/metrics'), false],
    [{ level: 'none', namespaces: ['web'] }, record, true],
    [{ level: 'none', namespaces: ['shop'] }, record, false],
    [{ level: 'none', users: ['ann'], verbs: ['delete'] }, record, false],
    [{ level: 'none', paths: ['/healthz*'] }, of('/healthz/ping?verbose'), true],
    [{ level: 'none', paths: ['/metrics'] }, of('/metrics?x=1'), true],
    [{ level: 'none', paths: ['/metrics'] }, of('/metrics/x'), false],
    [{ level: 'none', paths: ['/api*'] }, record, false],
  ])('%j decides on %o: %j', (rule, asked, decides) => {
    expect(auditLevel([rule], asked)).toBe(decides ? 'none' : 'metadata')
  })

  it('that comes first decides, and what none matches is recorded', () => {
    const policy: readonly AuditRule[] = [{ level: 'metadata', users: ['ann'] }, { level: 'none' }]
    expect(auditLevel(policy, record)).toBe('metadata')
    expect(auditLevel(policy, { ...record, user: { name: 'bob', groups: [] } })).toBe('none')
    expect(auditLevel([], record)).toBe('metadata')
  })

  it('hides no refusal', () => {
    expect(auditLevel([{ level: 'none' }], { ...record, isAuthorized: false })).toBe('metadata')
  })

  it('of the default policy leaves out only health checks and discovery', () => {
    expect(auditLevel(defaultAuditPolicy, of('/readyz'))).toBe('none')
    expect(auditLevel(defaultAuditPolicy, of('/apis/apps/v1'))).toBe('none')
    expect(auditLevel(defaultAuditPolicy, record)).toBe('metadata')
    expect(auditLevel(defaultAuditPolicy, of('/auth/session'))).toBe('metadata')
  })
})

describe('an audit line', () => {
  it.each<readonly [AuditRecord['target'], string]>([
    [undefined, 'management'],
    [{ kind: 'management' }, 'management'],
    [{ kind: 'cluster', cluster: 'c' }, 'cluster/c'],
    [{ kind: 'space', project: 'p', space: 's' }, 'project/p/space/s'],
    [{ kind: 'virtual-cluster', project: 'p', virtualCluster: 'v' }, 'project/p/virtualcluster/v'],
  ])('names where the request went: %j is %s', (target, text) => {
    const line = auditLine(target === undefined ? record : { ...record, target })
    expect(JSON.parse(line)).toMatchObject({ target: text, latencyMs: 5, decision: 'allow', user: 'ann' })
  })

  it('omits the query, and hides what looks like a key anywhere', () => {
    const key = `tpk_AAAAAAAAAAAA_${'B'.repeat(49)}`
    const line = auditLine({ ...record, userAgent: `agent ${key}`, requestUri: `/x/${key}?token=${key}` })
    expect(line).not.toContain('BBBB')
    expect(line).not.toContain('token=')
    expect(line).toContain('AAAAAAAAAAAA')
  })

  it.each([
    '/x/tpk%5FAAAAAAAAAAAA_KEY',
    '/x/%74pk_AAAAAAAAAAAA%5fKEY',
    '/x/tpk_AAAAAAAAAAAA_%42KEY',
    '/%zz/tpk%5FAAAAAAAAAAAA_KEY',
  ])('hides a key that is written with escapes: %s', (path) => {
    const line = auditLine({ ...record, requestUri: path.replace('KEY', 'B'.repeat(49)) })
    expect(line).not.toContain('BBBB')
    expect(line).toContain('AAAAAAAAAAAA')
  })

  it('keeps a path without keys as it was sent', () => {
    expect(JSON.parse(auditLine({ ...record, requestUri: '/a%20b/%2A%ff' })).path).toBe('/a%20b/%2A%ff')
  })
})
