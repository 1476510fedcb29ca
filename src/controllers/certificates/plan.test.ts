import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { clientSigner, nodeClientSigner, nodeServingSigner } from '../../api/certificates/signers.ts'
import type { CertificateSigningRequest } from '../../api/types/certificates-v1.ts'
import type { AlternativeNames, SigningRequest } from '../../base/certificates/signing-request.ts'
import { commonNameType, organizationType } from '../../base/certificates/subject.ts'
import { ageProblem, automaticApprovals, signerProblem, stageOf, validityOf } from './plan.ts'

const { publicKey } = generateKeyPairSync('ed25519')
const noNames: AlternativeNames = { dns: [], emails: [], addresses: [], uris: [] }
const clientUsages = ['client auth', 'digital signature']
const servingUsages = ['server auth', 'digital signature', 'key encipherment']

function asking(
  commonName: string,
  organizations: readonly string[],
  names: Partial<AlternativeNames> = {},
): SigningRequest {
  const subject = [
    ...organizations.map((value) => ({ type: organizationType, value })),
    { type: commonNameType, value: commonName },
  ]
  return { subject, names: { ...noNames, ...names }, publicKey }
}

function object(
  spec: Partial<CertificateSigningRequest['spec']>,
  conditions: readonly string[] = [],
  certificate?: string,
): CertificateSigningRequest {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'x' },
    spec: { request: '', signerName: clientSigner, usages: clientUsages, ...spec },
    status: {
      conditions: conditions.map((type) => ({ type, status: 'True', lastUpdateTime: null, lastTransitionTime: null })),
      ...(certificate !== undefined && { certificate }),
    },
  }
}

it.each([
  ['a new one', [], undefined, 'approval'],
  ['an approved one', ['Approved'], undefined, 'signature'],
  ['one that has its certificate', ['Approved'], 'eA==', 'nothing'],
  ['one that was denied', ['Denied'], undefined, 'nothing'],
  ['one that was approved and denied', ['Approved', 'Denied'], undefined, 'nothing'],
  ['one that failed', ['Approved', 'Failed'], undefined, 'nothing'],
] as const)('the next step for %s', (_, conditions, certificate, expected) => {
  expect(stageOf(object({}, conditions, certificate))).toBe(expected)
})

it('a request for an external signer needs no step here', () => {
  expect(stageOf(object({ signerName: 'example.com/s' }, ['Approved']))).toBe('nothing')
})

const node = 'system:node:n1'
const nodes = ['system:nodes']

it.each([
  [clientSigner, clientUsages, asking('carol', ['dev']), undefined],
  [
    clientSigner,
    clientUsages,
    asking('carol', ['dev', 'system:masters']),
    'use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
  ],
  [
    clientSigner,
    clientUsages,
    asking('carol', ['system:masters ']),
    'use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
  ],
  [clientSigner, ['server auth'], asking('carol', []), 'invalid usage for client certificate: server auth'],
  [
    clientSigner,
    ['digital signature'],
    asking('carol', []),
    'missing required usage for client certificate: client auth',
  ],
  [nodeClientSigner, clientUsages, asking(node, nodes), undefined],
  [
    nodeClientSigner,
    clientUsages,
    asking('system:admin', nodes),
    'subject common name does not begin with system:node:',
  ],
  [
    nodeClientSigner,
    clientUsages,
    asking(node, [...nodes, 'system:masters']),
    'subject organization is not system:nodes',
  ],
  [nodeClientSigner, clientUsages, asking(node, nodes, { dns: ['a'] }), 'DNS subjectAltNames are not allowed'],
  [
    nodeClientSigner,
    clientUsages,
    asking(node, nodes, { addresses: ['10.0.0.1'] }),
    'IP subjectAltNames are not allowed',
  ],
  [
    nodeClientSigner,
    [...clientUsages, 'server auth'],
    asking(node, nodes),
    'usages did not match [client auth digital signature key encipherment]',
  ],
  [nodeServingSigner, servingUsages, asking(node, nodes, { dns: ['n1'] }), undefined],
  [nodeServingSigner, servingUsages, asking(node, nodes), 'DNS or IP subjectAltName is required'],
  [
    nodeServingSigner,
    servingUsages,
    asking(node, nodes, { dns: ['n1'], uris: ['a:b'] }),
    'URI subjectAltNames are not allowed',
  ],
  [
    nodeServingSigner,
    [...servingUsages, 'client auth'],
    asking(node, nodes, { dns: ['n1'] }),
    'usages did not match [digital signature key encipherment server auth]',
  ],
  [
    nodeServingSigner,
    servingUsages,
    asking('carol', nodes, { dns: ['n1'] }),
    'subject common name does not begin with system:node:',
  ],
] as const)('%s for %j', (signerName, usages, request, expected) => {
  expect(signerProblem(object({ signerName, usages }), request)).toBe(expected)
})

it.each([
  ['a node that asks for itself', node, asking(node, nodes), ['selfnodeclient', 'nodeclient']],
  ['a user that asks for a node', 'bootstrapper', asking(node, nodes), ['nodeclient']],
  ['a node that asks for a user', node, asking('carol', nodes), []],
  ['a node that asks for more groups', node, asking(node, [...nodes, 'ops']), []],
] as const)('%s', (_, username, request, rights) => {
  const asked = object({ signerName: nodeClientSigner, username })
  expect(automaticApprovals(asked, request).map(({ subresource }) => subresource)).toEqual(rights)
})

it.each([clientSigner, nodeServingSigner])('%s: only users approve the request of a node', (signerName) => {
  expect(automaticApprovals(object({ signerName, username: node }), asking(node, nodes))).toEqual([])
})

it.each([
  ['older than the authority', '2026-01-01T23:59:59Z', 'the request is older than the authority that would sign it'],
  ['as old as the authority', '2026-01-02T00:00:00Z', undefined],
  ['of an unknown age', undefined, 'the request is older than the authority that would sign it'],
])('a request that is %s', (_, creationTimestamp, expected) => {
  const asked = { ...object({}), metadata: { name: 'x', ...(creationTimestamp && { creationTimestamp }) } }
  const problem = ageProblem(asked, Date.parse('2026-01-02T00:00:00.900Z'))
  if (expected === undefined) expect(problem).toBeUndefined()
  else expect(problem).toContain(expected)
})

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

it.each([
  ['a year', undefined, 365 * day - 5 * minute],
  ['as long as requested', 7_200, 2 * hour],
  ['ten minutes at least', 1, 10 * minute],
  ['a year at most', 10 * 365 * 86_400, 365 * day - 5 * minute],
])('a certificate lasts %s', (_, expirationSeconds, expected) => {
  const asked = object(expirationSeconds === undefined ? {} : { expirationSeconds })
  expect(validityOf(asked, 0, 10 * 365 * day)).toEqual({ notBeforeMs: -5 * minute, notAfterMs: expected })
})

it('no certificate outlives the authority', () => {
  expect(validityOf(object({}), 0, 30 * day).notAfterMs).toBe(30 * day)
})
