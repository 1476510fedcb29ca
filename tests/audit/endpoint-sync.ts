import { by, byPairing, section } from './describe.ts'
import { config } from './evidence.ts'

const patches = 'tests/patches/spec.test.ts'

export const endpointSync = section('2.4', [
  ['enabled', 'it is true by default', by(config, 'agree on the defaults')],
  [
    'enabled false',
    'nothing is synced when it is false',
    byPairing('other-kinds', 'copies of a disabled kind are deleted, at runtime and at the start'),
  ],
  ['patches', 'there are none by default', by(config, 'agree on the defaults')],
  [
    'patches elsewhere',
    'other kinds take the same patches',
    by('src/patches/config-problems.test.ts', 'are found in every list and point into the text'),
  ],
  [
    'path',
    'it names a field',
    by(patches, 'path: metadata.annotations[*] is every annotation', 'is one annotation by its key'),
  ],
  [
    'path not found',
    'then nothing is applied',
    by(patches, 'path: one that is not found is not applied'),
    by('tests/sync/patch-rules.test.ts', 'a path that is not found is not applied'),
  ],
  ['expression', 'it runs from virtual to host', by(patches, 'expression: applied from virtual to host')],
  ['reverseExpression', 'it runs from host to virtual', by(patches, 'reverseExpression: applied from host to virtual')],
  [
    'reference',
    'the value is rewritten as a reference',
    by(patches, 'a bare name is rewritten in single-namespace mode and the reference handed on'),
  ],
  ['reference.apiVersion', 'it is that of the object referred to', by(patches, 'apiVersion, kind: a bare name')],
  [
    'reference.apiVersionPath',
    'it is read from the object, or falls back',
    by('src/patches/reference.test.ts', 'takes kind and apiVersion from the object if their paths lead to text'),
  ],
  ['reference.kind', 'it is that of the object referred to', by(patches, 'apiVersion, kind: a bare name')],
  [
    'reference.kindPath',
    'it is read from the object, or falls back',
    by('src/patches/reference.test.ts', 'takes kind and apiVersion from the object if their paths lead to text'),
  ],
  [
    'reference.namePath',
    'it leads to the name',
    by('src/patches/reference.test.ts', 'that is an object is rewritten where namePath and namespacePath lead'),
  ],
  [
    'reference.namespacePath',
    'it leads to the namespace',
    by('src/patches/reference.test.ts', 'that is an object is rewritten where namePath and namespacePath lead'),
  ],
  [
    'reference.namespacePath absent',
    'then it is the namespace of the object',
    by('src/patches/reference.test.ts', 'without a namespace means the namespace of the virtual object'),
  ],
  ['reference.labels', 'the value is a label selector', by(patches, 'labels: the value is a label selector')],
  [
    'single namespace',
    'names are translated to v and a suffix',
    by('src/sync/names/host-name.test.ts', 'stays the same in every release'),
    by(patches, 'a bare name is rewritten in single-namespace mode'),
  ],
  ['multi namespace', 'names are not translated', by(patches, 'multi-namespace mode: the name is not translated')],
  [
    'wildcards',
    'an asterisk selects each element of a list',
    by(patches, 'spec.containers[*].name selects every element of an array'),
  ],
  ['wildcards twice', 'several asterisks select through lists', by(patches, 'selects through two arrays')],
  [
    'wildcards of objects',
    'an asterisk selects each member of an object',
    by(patches, 'an asterisk selects every member of an object, each match individually'),
  ],
  ['js 1 expression', 'an expression is one ES6 expression', by(patches, 'is a valid ES6 expression')],
  [
    'js 1 statements',
    'statements and imports are refused',
    by('src/expression/compile.test.ts', 'a statement that begins with %s', 'an import statement'),
  ],
  ['js 1 node', 'nothing of Node.js is there', by('tests/expression/isolation.test.ts', 'and there is no %s')],
  [
    'js 1 sandbox',
    'nothing outside is reached',
    by('tests/expression/isolation.test.ts', 'from each of its globals and from what syntax makes'),
  ],
  [
    'js 2 value',
    'value is the current value; ternary and optional chaining work',
    by(patches, 'value, ternary and optional chaining'),
  ],
  ['js 3 atob', 'atob decodes base64', by(patches, 'atob decodes base64')],
  ['js 3 btoa', 'btoa encodes base64', by(patches, 'btoa encodes base64')],
  [
    'js 3 virtualToHostDNS',
    'it gives the name of a service on the host',
    by(patches, 'virtualToHostDNS translates a service name'),
  ],
  ['js 4', 'missing values have to be guarded against', by(patches, 'a missing value has to be guarded against')],
  [
    'js 5 context',
    'context has its six members',
    by('tests/expression/values.test.ts', 'has the six members of the specification'),
  ],
  [
    'js 5 null',
    'an object that does not exist is null',
    by('tests/expression/values.test.ts', 'has null for an object that does not exist'),
  ],
  [
    'js 5 path',
    'context.path is the path of the match',
    by(patches, 'context.path is the concrete path of each match of a wildcard'),
  ],
  [
    'js 6',
    'a direction without an expression is left alone',
    by(patches, 'without an expression for a direction that direction is untouched'),
  ],
  [
    'js 7',
    'a pair that does not cancel out is found',
    by(patches, 'a pair that cancels out brings every value back', 'a pair that does not is found out'),
  ],
  ['js 8', 'a constant is a quoted text', by(patches, 'a constant is a quoted string literal')],
  [
    'reference rule 1',
    'an object of the host that is referred to is imported',
    by(patches, 'is handed on for import'),
    by('tests/create/pod.test.ts', 'imports a single allowed object, and all of a namespace'),
  ],
  [
    'reference rule 2',
    'a virtual object that is referred to is synced',
    by(patches, 'a virtual object that is referred to is handed on for syncing'),
  ],
])
