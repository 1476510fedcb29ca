import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface CertificateFiles {
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
}

/** A certificate authority and one certificate for an address, valid for servers and clients, as PEM files. */
export async function makeCertificates(
  directory: string,
  name: string,
  address = '127.0.0.1',
): Promise<CertificateFiles> {
  const file = (suffix: string) => join(directory, `${name}-${suffix}.pem`)
  const [caFile, caKeyFile, certFile, keyFile] = [file('ca'), file('ca-key'), file('cert'), file('key')]
  const extensions = join(directory, `${name}.ext`)
  await writeFile(extensions, `subjectAltName=IP:${address}\nextendedKeyUsage=serverAuth,clientAuth\n`)
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const requestFile = file('request')
  openssl('req', '-x509', ...curve, '-subj', `/CN=${name}-ca`, '-keyout', caKeyFile, '-out', caFile, '-days', '2')
  openssl('req', ...curve, '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', requestFile)
  const authority = ['-CA', caFile, '-CAkey', caKeyFile, '-CAcreateserial']
  openssl('x509', '-req', '-in', requestFile, ...authority, '-extfile', extensions, '-out', certFile, '-days', '2')
  return { caFile, certFile, keyFile }
}

function openssl(...parameters: readonly string[]): void {
  execFileSync('openssl', parameters, { stdio: 'pipe' })
}
