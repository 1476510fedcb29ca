import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type SharedName, type SharedParts, sharedSocket } from './contract.ts'

/** Started when the first suite asks for it. It ends with the run, or when all suites that asked have released it. */
export async function askForShared<Name extends SharedName>(name: Name): Promise<SharedParts[Name]> {
  const { status, body } = await send('GET', name)
  if (status !== 200) throw new Error(`the ${name} that suites share does not start: ${body}`)
  return JSON.parse(body)
}

/** For shared parts that take much of the machine and that few suites need. */
export async function releaseShared(name: SharedName): Promise<void> {
  const { status, body } = await send('DELETE', name)
  if (status !== 200) throw new Error(`the ${name} that suites share does not end: ${body}`)
}

function send(method: string, name: SharedName): Promise<{ readonly status: number; readonly body: string }> {
  const home = process.env.TENANT_CANARY_HOME
  if (home === undefined) throw new Error('the configuration of the tests does not say where a run keeps its files')
  return new Promise((resolve, reject) => {
    request({ method, socketPath: sharedSocket(home), path: `/${name}` }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
      .once('error', reject)
      .end()
  })
}
