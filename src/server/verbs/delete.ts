import { parseBody } from '../../api/decode/body.ts'
import type { DeletionPolicy } from '../../registry/contract.ts'
import { checkListOptions } from '../../registry/verbs/read-options.ts'
import { bodyFormat } from '../bodies/body.ts'
import { documentResponse } from '../encode/document.ts'
import { listResponse } from '../encode/list.ts'
import { valueResponse } from '../encode/value.ts'
import { viewOf } from '../encode/view.ts'
import { deleteOptions } from '../options/delete-options.ts'
import { listOptions } from '../options/list-options.ts'
import { type Call, namedTargetOf, namespaceTargetOf, type Verb, workOf, writeRequestOf } from './call.ts'

export const serveDelete: Verb = async (call) => {
  const view = viewOf(call.exchange, call.resource.kind)
  const options = readDeleteOptions(call)
  const answer = await call.resource.delete(namedTargetOf(call), options, writeRequest(call, options))
  if ('document' in answer) return documentResponse(answer.code, call.resource.kind, answer.document, view)
  return valueResponse(answer.code, answer.status, { ...view.media, as: '' })
}

export const serveDeleteCollection: Verb = async (call) => {
  const { exchange, info, resource } = call
  const view = viewOf(exchange, resource.kind)
  const selection = { ...listOptions(info), user: exchange.user, signal: exchange.request.signal }
  checkListOptions(resource.kind, selection)
  const options = readDeleteOptions(call)
  const answer = await resource.deleteCollection(
    namespaceTargetOf(call),
    selection,
    options,
    writeRequest(call, options),
  )
  return listResponse(resource.kind, answer, view, workOf(call))
}

function readDeleteOptions({ exchange, info }: Call): DeletionPolicy {
  const isEmpty = exchange.body.length === 0
  const { body: bytes, reading } = exchange
  const body = isEmpty ? undefined : parseBody(bytes, bodyFormat(exchange), { kind: 'DeleteOptions' }, reading)
  return deleteOptions(info.query, body)
}

function writeRequest(call: Call, { dryRun }: DeletionPolicy) {
  return writeRequestOf(call, { fieldManager: '', fieldValidation: 'Warn', dryRun })
}
