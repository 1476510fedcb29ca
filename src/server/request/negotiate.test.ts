import { describe, expect, it } from 'vitest'
import { type AnswerForms, chooseMediaType } from './negotiate.ts'

const tableAccept =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'

const all: AnswerForms = { views: 'all', hasYaml: true, protobuf: 'all' }
const protobuf = 'application/vnd.kubernetes.protobuf'
const partialIn = (type: string, as = 'PartialObjectMetadata') => `${type};as=${as};g=meta.k8s.io;v=v1`

function chosen(accept: string, offer: AnswerForms = all): string {
  const media = chooseMediaType(accept, offer)
  return media === undefined ? 'nothing' : [media.format, media.as, media.as && media.version].filter(Boolean).join(' ')
}

describe('the form of an answer', () => {
  it('is chosen by the first parameters, however many are sent', () => {
    expect(chosen(`application/json;${'a;'.repeat(100)}as=Table;v=v1;g=meta.k8s.io`)).toBe('json')
  })

  it.each([
    ['application/json', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/yaml', 'yaml'],
    ['application/yaml;q=0.5, application/json', 'json'],
    ['application/json;q=0.5, application/yaml', 'yaml'],
    ['*/*, application/yaml', 'yaml'],
    ['text/html, */*;q=0.1', 'json'],
    [protobuf, 'protobuf'],
    [`${protobuf},application/json`, 'protobuf'],
    [`application/json, ${protobuf}`, 'json'],
    [`application/json;q=0.9, ${protobuf}`, 'protobuf'],
    [`${protobuf};q=0.5, */*`, 'json'],
    [`${protobuf}, */*`, 'protobuf'],
    [`${protobuf};q=0, application/json`, 'json'],
    [`${protobuf};stream=watch`, 'protobuf'],
    [`${protobuf};as=Table;g=meta.k8s.io;v=v1, application/json`, 'json'],
    [partialIn(protobuf), 'protobuf PartialObjectMetadata v1'],
    [`${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1`, 'nothing'],
    ['text/html', 'nothing'],
    ['application/json;q=0', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/json, */*;q=0.8', 'json'],
    [tableAccept, 'json Table v1'],
    ['application/json;as=Table;g=meta.k8s.io;v=v1beta1', 'json Table v1beta1'],
    ['application/json;as=Table;g=meta.k8s.io;v=v2, application/json', 'json'],
    ['application/json;as=Table;g=other;v=v1', 'nothing'],
    ['application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1', 'json PartialObjectMetadata v1'],
    [
      [protobuf, 'application/json'].map((type) => partialIn(type, 'PartialObjectMetadataList')).join(),
      'protobuf PartialObjectMetadataList v1',
    ],
    ['application/json;as=Bogus;g=meta.k8s.io;v=v1', 'nothing'],
    ['', 'nothing'],
    [',;,=;q', 'nothing'],
  ])('%s is %s', (accept, expected) => {
    expect(chosen(accept)).toBe(expected)
  })

  it('has no views for objects without any', () => {
    const plain: AnswerForms = { ...all, views: 'none' }
    expect(chosen(tableAccept, plain)).toBe('json')
    expect(chosen('application/json;as=Table;v=v1;g=meta.k8s.io', plain)).toBe('nothing')
    expect(chosen(`${partialIn(protobuf)}, application/json`, plain)).toBe('json')
  })

  it('has no Table for a watch that begins like a list', () => {
    const likeList: AnswerForms = { ...all, views: 'no tables' }
    expect(chosen('application/json;as=Table;v=v1;g=meta.k8s.io', likeList)).toBe('nothing')
    expect(chosen(tableAccept, likeList)).toBe('json')
    expect(chosen(partialIn('application/json'), likeList)).toBe('json PartialObjectMetadata v1')
  })

  it('of a custom resource is protobuf only for its metadata', () => {
    const custom: AnswerForms = { ...all, protobuf: 'views' }
    expect(chosen(protobuf, custom)).toBe('nothing')
    expect(chosen(`${protobuf}, application/json`, custom)).toBe('json')
    expect(chosen(partialIn(protobuf), custom)).toBe('protobuf PartialObjectMetadata v1')
  })

  it('of a watch is never YAML', () => {
    const watch: AnswerForms = { ...all, hasYaml: false }
    expect(chosen('application/yaml', watch)).toBe('nothing')
    expect(chosen('application/yaml, application/json;q=0.1', watch)).toBe('json')
  })
})
