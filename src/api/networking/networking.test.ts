import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../tests/support/strategy-steps.ts'
import { ingress } from './ingress.ts'
import { ingressClass } from './ingress-class.ts'
import { networkPolicy } from './network-policy.ts'

const metadata = { name: 'n', namespace: 'a' }

describe('the backend of an Ingress', () => {
  const backendOf = (backend: object) =>
    errorTexts(previewCreate(ingress, { metadata, spec: { defaultBackend: backend } }))

  it.each([
    [{ resource: { apiGroup: 'k8s.example.com', kind: 'Bucket', name: 'b' } }, []],
    [
      { resource: {} },
      [
        'spec.defaultBackend.resource.kind: Required value: kind is required',
        'spec.defaultBackend.resource.name: Required value: name is required',
      ],
    ],
    [
      { resource: { kind: 'Bucket', name: 'a/b' } },
      [`spec.defaultBackend.resource.name: Invalid value: "a/b": may not contain '/'`],
    ],
    [{ resource: { apiGroup: '-', kind: 'Bucket', name: 'b' } }, [expect.stringContaining('resource.apiGroup')]],
  ])('%j', (backend, errors) => {
    expect(backendOf(backend)).toEqual(errors)
  })

  it('is not checked if pathType is missing', () => {
    const spec = { rules: [{ http: { paths: [{}] } }] }
    expect(errorTexts(previewCreate(ingress, { metadata, spec }))).toEqual([
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
    ])
  })
})

describe('parameters of an IngressClass', () => {
  it.each([
    [{ kind: 'P', name: 'p' }, []],
    [{ kind: 'P', name: 'p%' }, [`spec.parameters.name: Invalid value: "p%": may not contain '%'`]],
    [
      { kind: 'P', name: 'p', scope: '' },
      ['spec.parameters.scope: Unsupported value: "": supported values: "Cluster", "Namespace"'],
    ],
    [{ kind: 'P', name: 'p', scope: 'Namespace', namespace: '' }, [expect.stringContaining('RFC 1123 label')]],
  ])('%j', (parameters, errors) => {
    const spec = { controller: 'example.com/c', parameters }
    expect(errorTexts(previewCreate(ingressClass, { metadata: { name: 'n' }, spec }))).toEqual(errors)
  })
})

describe('the except list of a NetworkPolicy', () => {
  it.each([
    ['10.1.0.0/16', []],
    ['10.0.0.0/8', ['must be a strict subset of `cidr`']],
    ['11.1.0.0/16', ['must be a strict subset of `cidr`']],
    ['fd00::/64', ['must be a strict subset of `cidr`']],
    ['somewhere', ['must be a valid CIDR value']],
  ])('%s', (exception, errors) => {
    const from = [{ ipBlock: { cidr: '10.0.0.0/8', except: [exception] } }]
    const found = errorTexts(previewCreate(networkPolicy, { metadata, spec: { podSelector: {}, ingress: [{ from }] } }))
    expect(found).toEqual(errors.map((each) => expect.stringContaining(each)))
  })
})
