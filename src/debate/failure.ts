/** Why a reasoner gave no usable answer. */
export type FailureReason =
  | 'unsupported-language'
  | 'refused'
  | 'content-filter'
  | 'malformed'
  | 'truncated'
  | 'timeout'
  | 'unavailable'
  | 'budget';
