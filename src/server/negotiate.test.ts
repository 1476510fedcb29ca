import { describe, expect, it } from 'vitest'
import { chooseMediaType } from './negotiate.ts'

const tableAccept =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'

function chosen(accept: string, views = true): string {
  const media = chooseMediaType(accept, views)
  return media === undefined ? 'nothing' : [media.format, media.as, media.as && media.version].filter(Boolean).join(' ')
}

describe('the form of an answer', () => {
  it.each([
    ['application/json', 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/yaml', 'yaml'],
    ['application/yaml;q=0.5, application/json', 'json'],
    ['application/json;q=0.5, application/yaml', 'yaml'],
    ['*/*, application/yaml', 'yaml'],
    ['text/html, */*;q=0.1', 'json'],
    ['application/vnd.kubernetes.protobuf,application/json', 'json'],
    ['application/vnd.kubernetes.protobuf', 'nothing'],
    ['text/html', 'nothing'],
    ['application/json;q=0', 'nothing'],
    ['application/json; charset=utf-8', 'json'],
    ['application/json, */*;q=0.8', 'json'],
    [tableAccept, 'json Table v1'],
    ['application/json;as=Table;g=meta.k8s.io;v=v1beta1', 'json Table v1beta1'],
    ['application/json;as=Table;g=meta.k8s.io;v=v2, application/json', 'json'],
    ['application/json;as=Table;g=other;v=v1', 'nothing'],
    ['application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1', 'json PartialObjectMetadata v1'],
    [
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'json PartialObjectMetadataList v1',
    ],
    ['application/json;as=Bogus;g=meta.k8s.io;v=v1', 'nothing'],
    ['', 'nothing'],
    [',;,=;q', 'nothing'],
  ])('%s is %s', (accept, expected) => {
    expect(chosen(accept)).toBe(expected)
  })

  it('has no views where there is nothing to view', () => {
    expect(chosen(tableAccept, false)).toBe('json')
    expect(chosen('application/json;as=Table;v=v1;g=meta.k8s.io', false)).toBe('nothing')
  })
})
