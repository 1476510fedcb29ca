import type { KubeObject } from '../../../api/object.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { KubeClient } from '../../../client/contract.ts'
import {
  type AppliedRecord,
  type RecordPlace,
  readRecord,
  recordSecretAt,
  writeRecordAt,
} from '../../host/apply/record.ts'
import { platformLabels } from './manifests/labels.ts'
import { platformRecordName } from './names.ts'
import type { InstallChoices } from './settings.ts'

/**
 * What was applied for a platform, and the choices behind it. After an uninstallation that kept data, nothing is
 * applied.
 */
export interface PlatformRecord extends AppliedRecord {
  readonly choices: InstallChoices
}

export function readPlatformRecord(host: KubeClient, namespace: string): Promise<PlatformRecord | undefined> {
  return readRecord(host, placeIn(namespace), isPlatformRecord)
}

export function writePlatformRecord(host: KubeClient, namespace: string, record: PlatformRecord): Promise<void> {
  return writeRecordAt(host, placeIn(namespace), record)
}

export function platformRecordSecret(namespace: string): KubeObject {
  return recordSecretAt(placeIn(namespace), {})
}

function placeIn(namespace: string): RecordPlace {
  return { name: platformRecordName, namespace, labels: platformLabels(namespace) }
}

function isPlatformRecord(value: AppliedRecord): value is PlatformRecord {
  return 'choices' in value && isJsonObject(value.choices)
}
