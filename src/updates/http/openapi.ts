import * as t from '../../http/openapi/schema-helpers.js';
import { PROGRESS_STATES, type UpdateProgress } from '../progress.js';
import type { ReleaseProblem, UploadedFile, UploadedRelease } from '../spool.js';
import type { UpdatesView } from '../updates.js';

const release = t.record<UploadedRelease>(
  {
    ...t.each(t.text, 'version', 'architecture'),
    file: { ...t.text, description: 'The name of the archive' },
    bytes: { ...t.bytes, description: 'The size of the archive; 0 if it has not been uploaded' },
    sha256: {
      ...t.orNull(t.text),
      description: 'SHA-256 of the archive; `null` if it has not been uploaded',
    },
    signedBy: {
      ...t.orNull(t.text),
      description:
        'SHA-256 of the public key that signed the release; `null` if the signature is missing or invalid',
    },
    notes: { ...t.text, description: 'The release notes in Markdown; empty unless the signature is valid' },
    fits: { ...t.flag, description: 'True if the release can be installed on this gateway' },
    installed: { ...t.flag, description: 'True if this version is running' },
  },
  {
    problem: {
      ...t.record<ReleaseProblem>({ code: t.text, text: t.text }, { hint: t.text }),
      description: 'Why the release cannot be installed; absent if it can',
    },
  },
);

const view = t.record<UpdatesView>(
  {
    available: { ...t.flag, description: 'False if the gateway has no update service' },
    installed: t.exact(t.each(t.text, 'version', 'architecture')),
    updates: { ...t.listOf(release), description: 'The uploaded release; empty if there is none' },
    blockedBy: { ...t.text, description: 'Why no release can be installed now; empty if one can' },
    makesBackup: { ...t.flag, description: 'True if a gateway backup is made before the update' },
    freeBytes: t.bytes,
  },
  { reason: { ...t.text, description: 'Why updates are not available; absent if they are' } },
);

const progress = t.record<UpdateProgress>({
  state: {
    ...t.oneOf(PROGRESS_STATES),
    description:
      '`rejected`: nothing was changed. `returned`: the previous version is running again. `failed`: the update service did not start, or could start neither version',
  },
  ...t.each(t.orNull(t.text), 'version', 'from'),
  step: {
    ...t.orNull(t.text),
    description: "The update service's current step; `null` unless it is running",
  },
  code: { ...t.orNull(t.text), description: 'Why the update failed or was undone, such as `CHECKS`' },
  reason: { ...t.text, description: 'Empty unless the update failed or was undone' },
  failedChecks: { ...t.listOf(t.text), description: 'The checks of `GET /readyz` that no longer passed' },
  startedAt: t.orNull(t.since1970),
  elapsedMs: {
    ...t.orNull(t.ms),
    description: 'Time since the request or the start; `null` unless an update is requested or running',
  },
  installed: { ...t.text, description: 'The version that is running' },
});

const chapter = {
  name: 'Updates',
  description: "Updates of the gateway's software with signed releases.",
  schemas: { Update: progress },
};

/** A release replaces the whole program, so only administrators can upload one. */
export const updateApi = t.api(chapter, {
  'GET /updates': t.admin('Returns the installed version and the uploaded release', {
    ok: t.jsonOrPage(view),
  }),
  'PUT /updates/:file': t.admin('Uploads a release archive or its signature file, or part of one', {
    description:
      'A release consists of two files, such as `cartwright-0.3.0-arm64.tar.gz` and `cartwright-0.3.0-arm64.tar.gz.sig`. A part can be at most 4 MiB long; send the parts of a larger file in order with `Content-Range: bytes first-last/size`. The response to each part except the last is 202. A complete file replaces the files of other releases. Rejected with `UPDATE_RUNNING` while an update is requested or running.',
    ...t.fileInParts(t.record<UploadedFile>({ file: t.text, bytes: t.bytes })),
    fails: [409, 422],
  }),
  'POST /updates/:version/install': t.admin('Installs the uploaded release and restarts the gateway', {
    description:
      'If gateway backups are scheduled, one is made first. The cart must be parked: stationary, with no active command. Motion is rejected with `UPDATE_RUNNING` until the update has ended; stops always work. If a check of `GET /readyz` that passed before the update no longer passes afterwards, the previous version is started again. If the update service does not start within 30 s, the request is withdrawn.',
    answers: { 202: { description: 'The update has been requested', ...t.jsonOf('Update') } },
    redirect: t.BACK,
    fails: [404, 409, 422, 503],
  }),
  'GET /updates/progress': t.admin('Returns the progress of the update, or the result of the latest one', {
    ok: t.jsonOf('Update'),
  }),
});
