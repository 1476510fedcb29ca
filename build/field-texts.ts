import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageSchema } from '../src/api/facts/message-schema.ts'
import { messageNames } from '../src/api/facts/messages.ts'
import type { Schema } from '../src/api/schema.ts'
import type { DefinitionTexts, FieldTexts } from '../src/server/openapi/field-texts.ts'
import { type DeclaredTexts, declaredTexts } from './declared-texts.ts'

/** Has the texts of Kubernetes as doc comments: one declaration for each definition. */
const source = 'node_modules/@kubernetes/client-node'
const models = join(source, 'dist', 'gen', 'models')

/** A text for every definition and member without one of our own, if the package has one. */
export function missingTexts(): FieldTexts {
  const found = messageNames().flatMap((message): [string, DefinitionTexts][] => {
    const schema = messageSchema(message)
    const { name, properties } = schema
    const declared = name === undefined || properties === undefined ? undefined : declaredIn(name)
    return name === undefined || declared === undefined ? [] : [[name, textsFor(schema, declared)]]
  })
  return new Map(found)
}

/** Placed beside the texts: who wrote them, how they were changed, and their license. */
export function textsLicense(): string {
  const { name, version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const notice = `The texts in field-texts.json are from ${name} ${version}, by the Kubernetes authors, and under the
license below. They were taken out of doc comments, and their lines and quotes were restored.`
  return `${notice}\n\n${readFileSync(join(source, 'LICENSE'), 'utf8')}`
}

function textsFor({ description, properties = {} }: Schema, { text, members }: DeclaredTexts): DefinitionTexts {
  const silent = Object.entries(properties).filter(([, member]) => wordsOf(member) === undefined)
  const found = silent.flatMap(([member]) => {
    const words = members.get(member)
    return words === undefined ? [] : [[member, words]]
  })
  return { text: description === undefined ? text : undefined, members: Object.fromEntries(found) }
}

/** The description of a named schema says nothing about the member that uses it. */
function wordsOf({ name, description, memberDescription }: Schema): string | undefined {
  return memberDescription ?? (name === undefined ? description : undefined)
}

function declaredIn(name: string): DeclaredTexts | undefined {
  const file = classNames(name)
    .map((className) => join(models, `${className}.d.ts`))
    .find((path) => existsSync(path))
  return file === undefined ? undefined : declaredTexts(readFileSync(file, 'utf8'))
}

/** `CoreV1Event` or `V1Event` for `io.k8s.api.core.v1.Event`: the group precedes names that several groups have. */
function classNames(name: string): readonly string[] {
  const [kind = '', version = '', group = ''] = name.split('.').reverse()
  const versioned = capitalized(version) + kind
  return [capitalized(group) + versioned, versioned]
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
