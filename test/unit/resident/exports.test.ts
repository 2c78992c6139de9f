import { expect } from 'chai';
import Bottleneck from '../../../lib/index';
import * as resident from '../../../lib/resident';
import { RESIDENT_ERRORS, RESIDENT_NAMES } from '../../../lib/resident/names';

describe("the engine's own API", () => {
  it('is on the class, under the names that the light entry stands in for', () => {
    const { ManagedLimiter: _, TypedEvents: __, ...classes } = resident;
    expect(Object.keys(classes)).to.have.members([...RESIDENT_NAMES]);
    expect(Bottleneck).to.include(classes);
  });

  it('has a base of all its errors, which is a BottleneckError', () => {
    const { ...classes } = resident;
    for (const name of RESIDENT_ERRORS) {
      const { prototype } = classes[name];
      expect(name === 'RebottleError' || prototype instanceof resident.RebottleError, name).to.equal(true);
      expect(prototype instanceof Bottleneck.BottleneckError, name).to.equal(true);
    }
  });

  it('names its errors after their classes', () => {
    const error = new resident.JobMaxRetriesError('job', 3, new Error('why'));
    expect(error).to.include({ name: 'JobMaxRetriesError', code: 'JOB_MAX_RETRIES', jobId: 'job', attempts: 3 });
    expect(String(error)).to.equal('JobMaxRetriesError: The job "job" failed after 3 attempts: why');
  });
});
