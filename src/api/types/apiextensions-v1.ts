import type { KubeObject } from '../object.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface CustomResourceColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

export interface CustomResourceConversion {
  readonly strategy: string
  readonly webhook?: WebhookConversion
}

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: CustomResourceDefinitionSpec
  readonly status: CustomResourceDefinitionStatus
}

export interface CustomResourceDefinitionCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface CustomResourceDefinitionNames {
  readonly plural: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly kind: string
  readonly listKind?: string
  readonly categories?: readonly string[]
}

export interface CustomResourceDefinitionSpec {
  readonly group: string
  readonly names: CustomResourceDefinitionNames
  readonly scope: string
  readonly versions: readonly CustomResourceDefinitionVersion[] | null
  readonly conversion?: CustomResourceConversion
  readonly preserveUnknownFields?: boolean
}

export interface CustomResourceDefinitionStatus {
  readonly conditions: readonly CustomResourceDefinitionCondition[] | null
  readonly acceptedNames: CustomResourceDefinitionNames
  readonly storedVersions: readonly string[] | null
}

export interface CustomResourceDefinitionVersion {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly deprecated?: boolean
  readonly deprecationWarning?: string
  readonly schema?: CustomResourceValidation
  readonly subresources?: CustomResourceSubresources
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[]
  readonly selectableFields?: readonly SelectableField[]
}

export interface CustomResourceSubresourceScale {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

export type CustomResourceSubresourceStatus = Readonly<Record<string, never>>

export interface CustomResourceSubresources {
  readonly status?: CustomResourceSubresourceStatus
  readonly scale?: CustomResourceSubresourceScale
}

export interface CustomResourceValidation {
  readonly openAPIV3Schema?: Readonly<Record<string, unknown>>
}

export interface ExternalDocumentation {
  readonly description?: string
  readonly url?: string
}

export interface SelectableField {
  readonly jsonPath: string
}

export interface ServiceReference {
  readonly namespace: string
  readonly name: string
  readonly path?: string
  readonly port?: number
}

export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
  readonly fieldPath?: string
  readonly optionalOldSelf?: boolean
}

export interface WebhookClientConfig {
  readonly url?: string
  readonly service?: ServiceReference
  readonly caBundle?: string
}

export interface WebhookConversion {
  readonly clientConfig?: WebhookClientConfig
  readonly conversionReviewVersions: readonly string[] | null
}
