import { seededNumbers } from './seeded-numbers.ts'

/** As large and as deep as those of Gateway API and cert-manager: in JSON 20 KB, 60 KB, and some with 250 KB. */
const fieldsBySize = [80, 80, 80, 260, 260, 260, 260, 260, 260, 1_100]
const deepest = 8
/** Deeper in lists of lists, a rule could cost more than the server allows. */
const deepestRule = 3
const groups = 25

/** A definition like those of operators; the same one for the same number, and no two alike. */
export function generatedDefinition(index: number): unknown {
  const writer = new SchemaWriter(index)
  const kind = `Generated${index}`
  const plural = `generateds${index}`
  const group = `group-${index % groups}.example.com`
  const fields = fieldsBySize[index % fieldsBySize.length] ?? 0
  const versions = index % 5 === 0 ? ['v1', 'v1beta1'] : ['v1']
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, annotations: { 'example.com/release': 'v1.2.3' } },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List`, shortNames: [`g${index}`] },
      versions: versions.map((name, at) => ({
        name,
        served: true,
        storage: at === 0,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: { openAPIV3Schema: writer.root(Math.round(fields / versions.length)) },
      })),
    },
  }
}

type Schema = Readonly<Record<string, unknown>>

class SchemaWriter {
  readonly #next: (below: number) => number
  #left = 0
  #names = 0

  constructor(seed: number) {
    this.#next = seededNumbers(seed)
  }

  root(fields: number): Schema {
    this.#left = fields
    const spec: Record<string, Schema> = {}
    while (this.#left > 0) spec[this.#name()] = this.#field(1)
    const status = {
      type: 'object',
      properties: { conditions, observedGeneration: { type: 'integer', format: 'int64' } },
    }
    return {
      type: 'object',
      description: this.#text(40),
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec: { type: 'object', description: this.#text(30), properties: spec },
        status,
      },
    }
  }

  #field(depth: number): Schema {
    this.#left--
    const form = depth >= deepest ? 0 : this.#next(10)
    if (form < 5) return this.#scalar()
    if (form < 6) return { type: 'array', description: this.#text(20), maxItems: 16, items: this.#scalar() }
    if (form < 7) return { type: 'object', description: this.#text(20), additionalProperties: { type: 'string' } }
    if (form < 8) return this.#list(depth)
    return this.#object(depth, this.#text(25))
  }

  #object(depth: number, description: string, more: Readonly<Record<string, Schema>> = {}): Schema {
    const properties: Record<string, Schema> = { ...more }
    for (let count = 3 + this.#next(5); count > 0 && this.#left > 0; count--) {
      properties[this.#name()] = this.#field(depth + 1)
    }
    const [first, second] = Object.keys(properties)
    const hasRule = depth <= deepestRule && this.#next(3) === 0 && first !== undefined && second !== undefined
    const rule = {
      rule: `!(has(self.${first}) && has(self.${second}))`,
      message: `${first} and ${second} exclude each other`,
    }
    return {
      type: 'object',
      description,
      properties,
      ...(hasRule && Object.keys(more).length === 0 && { 'x-kubernetes-validations': [rule] }),
    }
  }

  #list(depth: number): Schema {
    const name = { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }
    return {
      type: 'array',
      description: this.#text(25),
      maxItems: 16,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { ...this.#object(depth, this.#text(10), { name }), required: ['name'] },
    }
  }

  #scalar(): Schema {
    const description = this.#text(8 + this.#next(30))
    const forms: readonly Schema[] = [
      { type: 'string', maxLength: 253 },
      { type: 'string', minLength: 1, maxLength: 253, pattern: '^[a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?$' },
      { type: 'string', enum: ['Exact', 'PathPrefix', 'RegularExpression'], default: 'Exact' },
      { type: 'integer', format: 'int32', minimum: 1, maximum: 65_535 },
      { type: 'boolean' },
    ]
    return { description, ...forms[this.#next(forms.length)] }
  }

  #name(): string {
    return `${words[this.#next(words.length)]}${upper(words[this.#next(words.length)] ?? '')}${this.#names++}`
  }

  #text(count: number): string {
    return Array.from({ length: count }, () => words[this.#next(words.length)]).join(' ')
  }
}

const conditions = {
  type: 'array',
  maxItems: 8,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type', 'status'],
    properties: {
      type: { type: 'string', maxLength: 316 },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: { type: 'string', maxLength: 1024 },
      message: { type: 'string', maxLength: 32_768 },
      lastTransitionTime: { type: 'string', format: 'date-time' },
    },
  },
}

const words =
  'route listener backend certificate issuer secret reference policy match header filter weight port name namespace group kind value timeout retry session challenge solver account server key usage subject duration renewal condition parent section hostname rule default optional'.split(
    ' ',
  )

function upper(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
