import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type SharedName, type SharedParts, sharedSocket } from './contract.ts'

/** It is started if no suite has asked for it before, and ends with the run. */
export async function askForShared<Name extends SharedName>(name: Name): Promise<SharedParts[Name]> {
  const home = process.env.TENANT_CANARY_HOME
  if (home === undefined) throw new Error('the configuration of the tests does not say where a run keeps its files')
  const { status, body } = await get(sharedSocket(home), `/${name}`)
  if (status !== 200) throw new Error(`the ${name} that suites share does not start: ${body}`)
  return JSON.parse(body)
}

function get(socketPath: string, path: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
      .once('error', reject)
      .end()
  })
}
