import { Client, credentials } from '@grpc/grpc-js'
import {
  encodeMessage,
  type WriteFields,
  writeBytes,
  writeInteger,
  writeMessage,
  writeText,
} from '../../../src/storage/etcd/wire.ts'

export interface EtcdUser {
  readonly user: string
  readonly password: string
}

/** Enables authentication, with a root user and one that may read and write only below the prefix. */
export async function enableAuthentication(endpoint: string, app: EtcdUser, prefix: string): Promise<void> {
  const client = new Client(endpoint.replace('http://', ''), credentials.createInsecure())
  const call = (method: string, fields: WriteFields) =>
    unary(client, `/etcdserverpb.Auth/${method}`, encodeMessage(fields))
  try {
    await call('UserAdd', texts('root', 'root-password'))
    await call('RoleAdd', texts('root'))
    await call('UserGrantRole', texts('root', 'root'))
    await call('UserAdd', texts(app.user, app.password))
    await call('RoleAdd', texts('app'))
    await call('UserGrantRole', texts(app.user, 'app'))
    await call('RoleGrantPermission', readWriteBelow('app', prefix))
    await call('AuthEnable', () => undefined)
  } finally {
    client.close()
  }
}

function texts(...values: readonly string[]): WriteFields {
  return (writer) => {
    for (const [index, value] of values.entries()) writeText(writer, index + 1, value)
  }
}

function readWriteBelow(role: string, prefix: string): WriteFields {
  return (writer) => {
    writeText(writer, 1, role)
    writeMessage(writer, 2, (permission) => {
      writeInteger(permission, 1, 2)
      writeBytes(permission, 2, Buffer.from(`${prefix}/`))
      writeBytes(permission, 3, Buffer.from(`${prefix}0`))
    })
  }
}

function unary(client: Client, path: string, request: Buffer): Promise<void> {
  const same = (bytes: Buffer) => bytes
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, same, same, request, (error) => (error === null ? resolve() : reject(error)))
  })
}
