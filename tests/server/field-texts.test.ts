import { describe, expect, it } from 'vitest'
import { declaredTexts } from '../../build/declared-texts.ts'
import { missingTexts, textsLicense } from '../../build/field-texts.ts'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { kindMessageSchema } from '../../src/api/facts/message-schema.ts'
import { messageNames } from '../../src/api/facts/messages.ts'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { type Described, describeKind, documentPath } from '../../src/server/openapi/described.ts'
import { createOpenApi } from '../../src/server/openapi/open-api.ts'
import { emptyDefinitions, schemaUse } from '../../src/server/openapi/schema-json.ts'

interface Node {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly additionalProperties?: Node
  readonly allOf?: readonly { readonly $ref: string }[]
}

type Definitions = Readonly<Record<string, Node>>

const reviews = messageNames()
  .filter((message) => /\.(authentication|authorization)\.v1\.\w*(Review|TokenRequest)$/.test(message))
  .map(asReview)
const kinds = [...builtinKinds(), ...managementKinds('example.com')]
const texts = missingTexts()
const openApi = createOpenApi(() => kinds, reviews, { textsOf: () => texts })
const documents = [...new Set([...kinds.map(describeKind), ...reviews].map(documentPath))]

function asReview(message: string): Described {
  const [kind = '', version = '', group] = message.split('.').reverse()
  const plural = `${kind.toLowerCase()}s`
  return { group: `${group}.k8s.io`, version, kind, plural, namespaced: false, schema: kindMessageSchema(message) }
}

async function v3Definitions(path: string): Promise<Definitions> {
  const served = await openApi.v3(path)
  return JSON.parse(String(served?.body)).components.schemas
}

async function v2Definitions(): Promise<Definitions> {
  return JSON.parse(String((await openApi.v2Json()).body)).definitions
}

/** Named scalars are published without a text: each member that uses one has its own. */
function silentIn(definitions: Definitions): readonly string[] {
  return Object.entries(definitions).flatMap(([name, node]) => [
    ...(node.properties === undefined || node.description ? [] : [name]),
    ...silentMembers(node, name),
  ])
}

function silentMembers({ properties = {}, items, additionalProperties }: Node, path: string): readonly string[] {
  const inner = [items, additionalProperties].flatMap((node) => (node === undefined ? [] : silentMembers(node, path)))
  const members = Object.entries(properties).flatMap(([name, member]) => [
    ...(member.description ? [] : [`${path}.${name}`]),
    ...silentMembers(member, `${path}.${name}`),
  ])
  return [...inner, ...members]
}

/** `kubectl explain` shows the text of a member and that of its type one below the other. */
function repeatedIn(definitions: Definitions): readonly string[] {
  return Object.entries(definitions).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([member, { description, allOf = [] }]) => {
      const type = definitions[allOf[0]?.$ref.split('/').at(-1) ?? '']
      // The metadata of all objects needs no text besides that of its type.
      const isRepeated = member !== 'metadata' && type !== undefined && type.description === description
      return isRepeated ? [`${name}.${member}`] : []
    }),
  )
}

describe('texts for kubectl explain', () => {
  it.each(documents)('%s has one for every field', async (path) => {
    const definitions = await v3Definitions(path)
    expect(Object.keys(definitions).length).toBeGreaterThan(5)
    expect(silentIn(definitions)).toEqual([])
  })

  it('are in OpenAPI v2 as well', async () => {
    expect(silentIn(await v2Definitions())).toEqual([])
  })

  it.each(documents)('%s describes each member beyond its type', async (path) => {
    expect(repeatedIn(await v3Definitions(path))).toEqual([])
  })

  it('are our own if they exist, otherwise those of the field', async () => {
    const definitions = await v3Definitions('apis/apps/v1')
    const members = definitions['io.k8s.api.apps.v1.DeploymentSpec']?.properties ?? {}
    const replicas = texts.get('io.k8s.api.apps.v1.DeploymentSpec')?.members.replicas
    expect(members.strategy?.description).toBe('How pods of an old template are replaced by pods of a new one.')
    expect([replicas, members.replicas?.description]).toEqual([expect.stringMatching(/desired pods/), replicas])
  })

  it('are strings only, whatever members a user defines', () => {
    const schema = {
      type: 'object',
      name: 'io.k8s.api.core.v1.Pod',
      properties: { toString: { type: 'string' } },
    } as const
    const definitions = emptyDefinitions('v3', texts)
    schemaUse(schema, definitions)
    expect(definitions.byName.get(schema.name)?.properties).toEqual({ toString: { type: 'string' } })
  })

  it('name their source and license', () => {
    expect(textsLicense()).toMatch(/from @kubernetes\/client-node \d[\s\S]*Apache License\n +Version 2\.0/)
  })
})

describe('doc comments', () => {
  it('give the texts of a class and its members, with lines and quotes as they were', () => {
    const declaration = `/**
 * Generated
 */
import { V1Peer } from '../models/V1Peer.js';
/**
* Rule is a rule\\'s text.  Second paragraph.
*/
export declare class V1Rule {
    /**
    * Either:  * \\"a\\"  * b
    */
    '_from'?: Array<V1Peer>;
    'silent'?: V1Peer;
    /**
    * Last one.
    */
    'last': string;
}`
    const { text, members } = declaredTexts(declaration)
    expect(text).toBe("Rule is a rule's text.\n\nSecond paragraph.")
    expect([...members]).toEqual([
      ['from', 'Either:\n* "a"\n* b'],
      ['last', 'Last one.'],
    ])
  })
})
