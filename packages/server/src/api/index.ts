export { scopes, type Asked, type Called, type Operation, type Scope, type Upload } from './operation.ts';
export { operations, type OperationId, type OperationOf } from './operations/index.ts';
export { openApiDocument } from './open-api.ts';
export * as schemas from './schemas/index.ts';
export type {
  AnnotationItemView,
  AnnotationProjectView,
  CaseRow,
  FindingView,
  MarkAgreementView,
  NewFinding,
  Problem,
} from './schemas/index.ts';
